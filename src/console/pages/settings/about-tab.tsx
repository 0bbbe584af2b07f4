// Which program this is, under which licence, and where to read about it.

import { hrefOf } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { DocsLink } from "../../components/docs-link.tsx";
import { Section } from "../../components/page.tsx";
import { Loaded } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";

const words = texts.settings.about;

export function AboutTab() {
  const query = useCall("diagnostics.get", {});
  return (
    <Loaded query={query}>
      {({ service: { version, commit, buildTime, contractVersion } }) => (
        <>
          <Section title={words.program}>
            <Facts
              card
              facts={[
                [texts.words.version, version],
                [words.commit, commit],
                [words.buildTime, buildTime && <Time exact at={buildTime} />],
                [words.contractVersion, contractVersion],
                [words.licence, "Apache License 2.0"],
              ]}
            />
          </Section>
          <Section title={words.read} card>
            <div className="stack">
              <DocsLink to="index">{words.docs}</DocsLink>
              <a href={hrefOf("system.openapi", {})} target="_blank" rel="noreferrer">
                {words.api}
              </a>
            </div>
          </Section>
        </>
      )}
    </Loaded>
  );
}
