# An image with the packaged program and the libraries that it needs. docs/guides/install.md shows how to
# build and run it.

FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /build
COPY .npmrc package.json package-lock.json ./
RUN npm ci
COPY . .
# The build context has no Git repository, so these arguments provide the version, commit and time.
ARG VERSION=
ARG REVISION=
ARG CREATED=
RUN PLATFORM_VERSION="$VERSION" PLATFORM_COMMIT="$REVISION" PLATFORM_BUILD_TIME="$CREATED" npm run -s package \
    && install -D -m 0755 "$(find dist -name 'platform-*' -perm -u+x)" /root-fs/usr/bin/platform \
    && install -D -m 0644 "$(find dist -name 'platform-*.licenses.txt')" \
        /root-fs/usr/share/doc/platform/copyright \
    && ln -s platform /root-fs/usr/bin/platformctl \
    && install -d -m 0700 /data

# This image has glibc, libstdc++ and the well-known root certificates, but no shell.
FROM gcr.io/distroless/cc-debian12
ARG VERSION=
ARG REVISION=
ARG CREATED=
LABEL org.opencontainers.image.title="platform" \
      org.opencontainers.image.description="Agent management service" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED"
COPY --from=build /root-fs/ /
COPY --from=build --chown=65532:65532 /data /var/lib/platform
# Kubernetes can verify that a numeric user is not root.
USER 65532:65532
WORKDIR /var/lib/platform
# Loopback would not be reachable from outside the container.
ENV PLATFORM_DATA_DIR=/var/lib/platform \
    PLATFORM_HOST=0.0.0.0 \
    PLATFORM_LOG_FORMAT=json
VOLUME /var/lib/platform
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["platform", "health", "--server", "http://127.0.0.1:8080"]
ENTRYPOINT ["platform"]
CMD ["serve"]
