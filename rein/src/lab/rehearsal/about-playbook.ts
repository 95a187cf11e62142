import type { Playbook } from "./playbook.ts";

/** The answer to every task that no playbook takes: what this model is, and what can be asked. */
export function aboutPlaybook(playbooks: readonly Playbook[]): Playbook {
  return {
    name: "about",
    purpose: "Says what the rehearsal model is and what it can do.",
    examples: ["What can you do?"],
    asks: () => false,
    rules: [
      { name: "say-what-there-is", when: () => true, respond: () => [{ type: "text", text: textFor(playbooks) }] },
    ],
  };
}

function textFor(playbooks: readonly Playbook[]): string {
  const options = playbooks.flatMap(({ purpose, examples }) => [
    `- ${purpose}`,
    ...examples.map((example) => `  - ${example}`),
  ]);
  return [
    "This task fits none of my rules, so I leave it alone; I need no key and no network, and stand in where no language model can be reached.",
    "What I can do, with the words that ask for it:",
    ...options,
    "For anything else choose a language model.",
  ].join("\n");
}
