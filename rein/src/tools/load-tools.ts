/** Loads what only an agent that runs needs: the pipeline and the built-in tools. Defining a tool must stay cheap to import. */
export async function loadTools() {
  const [{ builtinTools }, { createTools }, { nearestName }] = await Promise.all([
    import("./builtin/index.ts"),
    import("./pipeline.ts"),
    import("./nearest-name.ts"),
  ]);
  return { builtinTools, createTools, nearestName };
}
