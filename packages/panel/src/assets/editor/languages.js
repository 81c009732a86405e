import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { markdown } from '@codemirror/lang-markdown';
import { php } from '@codemirror/lang-php';
import { python } from '@codemirror/lang-python';
import { MySQL, sql } from '@codemirror/lang-sql';
import { xml } from '@codemirror/lang-xml';
import { yaml } from '@codemirror/lang-yaml';
import { StreamLanguage } from '@codemirror/language';
import { nginx } from '@codemirror/legacy-modes/mode/nginx';
import { properties } from '@codemirror/legacy-modes/mode/properties';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { toml } from '@codemirror/legacy-modes/mode/toml';

const byName = [
  [/\.(?:php\d*|phtml|inc)$/i, () => php()],
  [/\.(?:html?|xhtml|twig|vue|svelte)$/i, () => html()],
  [/\.(?:css|scss|less)$/i, () => css()],
  [/\.[cm]?tsx?$/i, () => javascript({ typescript: true, jsx: true })],
  [/\.[cm]?jsx?$/i, () => javascript({ jsx: true })],
  [/\.(?:json|webmanifest|map)$|^\.(?:babelrc|eslintrc)$/i, () => json()],
  [/\.(?:xml|svg|rss|atom|xsl)$/i, () => xml()],
  [/\.(?:md|markdown)$/i, () => markdown()],
  [/\.ya?ml$/i, () => yaml()],
  [/\.sql$/i, () => sql({ dialect: MySQL })],
  [/\.py$/i, () => python()],
  [/\.(?:sh|bash)$|^\.(?:bashrc|profile|bash_profile|bash_aliases)$/i, () => StreamLanguage.define(shell)],
  [/\.toml$/i, () => StreamLanguage.define(toml)],
  [/\.conf$|^\.htaccess$/i, () => StreamLanguage.define(nginx)],
  [
    /\.(?:ini|properties|cfg)$|^\.(?:env(?:\..*)?|user\.ini|gitconfig|editorconfig)$/i,
    () => StreamLanguage.define(properties),
  ],
];

/** The language of a file by its name. None: plain text. */
export function languageFor(name) {
  return byName.find(([pattern]) => pattern.test(name))?.[1]() ?? [];
}
