# The server (and every other command) in an image that holds the one packaged file and what it is linked to.
# docs/install.md tells how to build and run it.

FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# There is no git here: these say what is built.
ARG VERSION=
ARG REVISION=
ARG CREATED=
RUN PLATFORM_VERSION="$VERSION" PLATFORM_COMMIT="$REVISION" PLATFORM_BUILD_TIME="$CREATED" npm run -s package \
    && install -D -m 0755 "$(find dist -name 'platform-*' -perm -u+x)" /root-fs/usr/bin/platform \
    && install -D -m 0644 "$(find dist -name 'platform-*.licenses.txt')" \
        /root-fs/usr/share/doc/platform/copyright \
    && ln -s platform /root-fs/usr/bin/platformctl \
    && install -d -m 0700 /data

# glibc, libstdc++ and the certificates of the well-known authorities; no shell.
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
# A number, so that Kubernetes can tell that it is not root.
USER 65532:65532
WORKDIR /var/lib/platform
# In a container, loopback is the container's own.
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
