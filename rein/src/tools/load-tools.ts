/** Loads what only an agent that runs needs: the pipeline and the built-in tools. Defining a tool must stay cheap to import. */
export async function loadTools() {
  const [{ builtinTools }, { createTools }] = await Promise.all([
    import("./builtin/index.ts"),
    import("./pipeline.ts"),
  ]);
  return { builtinTools, createTools };
}
