/**
 * Makes one call of `run` for all items that arrive together, that is before the event loop has handled what its
 * sockets had received. No item waits longer than that, and `run` starts after the last of them. The results are in the
 * order of the items. If `run` throws or rejects, all items of the call reject.
 */
export function together<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]> | readonly Promise<Result>[],
): (item: Item) => Promise<Result> {
  let arrived: Item[] = [];
  let results: Promise<readonly (Result | Promise<Result>)[]> | undefined;
  const start = async () => {
    const items = arrived;
    arrived = [];
    results = undefined;
    return await run(items);
  };
  return async (item) => {
    const index = arrived.push(item) - 1;
    results ??= new Promise((resolve, reject) => {
      setImmediate(() => start().then(resolve, reject));
    });
    const all = await results;
    return await (all[index] as Result | Promise<Result>);
  };
}
