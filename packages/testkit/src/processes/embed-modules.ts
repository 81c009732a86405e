import type { Plugin } from 'esbuild';

/** Modules named `*.embed.ts` are evaluated at build time: the bundle contains their default export as JSON. */
export const embedModules: Plugin = {
  name: 'embed',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.embed\.ts$/ }, async ({ path }) => {
      const { default: value }: { default: unknown } = await import(path);
      return { contents: JSON.stringify(value), loader: 'json' };
    });
  },
};
