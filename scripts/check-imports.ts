/**
 * The import rules of the architecture, as data. A package can import only the packages in its package.json (pnpm links
 * nothing else), so the rules are: which workspace packages each may list, no relative import that leaves its package,
 * and the modules that only certain files may import.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const allowedPackages: Record<string, readonly string[]> = {
  'packages/domain': [],
  'packages/contract': ['domain'],
  'packages/protocol': ['domain'],
  'packages/db': ['domain'],
  'packages/services': ['domain', 'contract', 'db', 'protocol'],
  'packages/panel': ['domain', 'contract', 'services'],
  'packages/testkit': ['domain', 'db', 'protocol', 'services'],
  'apps/api': ['domain', 'contract', 'db', 'panel', 'protocol', 'services'],
  'apps/agent': ['domain', 'protocol'],
  'apps/innctl': ['domain', 'db', 'protocol', 'services'],
};

interface SoleImporter {
  module: RegExp;
  /** Files that may import it, relative to the repository. */
  allowed: RegExp;
  why: string;
}

const soleImporters: readonly SoleImporter[] = [
  {
    module: /^execa$/,
    allowed: /^apps\/agent\/src\/node\/exec\.ts$|^(packages\/testkit|scripts)\//,
    why: 'programs are run by node/exec.ts alone',
  },
  {
    module: /^(node:)?child_process$/,
    allowed: /^(packages\/testkit|scripts)\/|\/test\//,
    why: 'programs are run by node/exec.ts alone',
  },
  {
    module: /^nats$/,
    allowed:
      /^apps\/[a-z]+\/src\/(?:[^/]+\/)*[a-z-]*(?:nats|doorbell|revocation)[a-z-]*\.ts$|^packages\/protocol\/src\/nats\/push-account-claims\.ts$|^packages\/testkit\/|\/test\//,
    why: 'one file of each app speaks to NATS',
  },
  {
    module: /^mysql2\//,
    allowed:
      /^apps\/agent\/src\/capabilities\/databases\/database-server\.ts$|^packages\/(db|testkit)\/|\/test\/|^scripts\//,
    why: 'one file of the agent speaks to the database server of its node',
  },
  {
    module: /^@innkeeper\/db$|^kysely(\/|$)|^mysql2$/,
    allowed:
      /^packages\/(db|services|testkit)\/|\/test\/|\.test\.ts$|^apps\/api\/src\/(?!routes\/)|^apps\/innctl\/src\/|^scripts\//,
    why: 'routes call services, never the database',
  },
];

interface FileChangers {
  allowed: RegExp;
  why: string;
}

/**
 * Modules of the agent that may change files. Root must not change a file by a path that goes through another user's
 * folder. root-folder.ts makes the changes in folders where accounts have entries. All other modules in this list write
 * only to folders that only root can write to; `findOpenFolders` checks this at the agent's start.
 */
const fileChangers: readonly FileChangers[] = [
  { allowed: /^node\/root-folder\.ts$/, why: 'goes by handles through closed folders' },
  {
    allowed: /^(archives|capabilities\/(apps\/task|files\/program))\/(?!host|tasks)/,
    why: 'runs as the account',
  },
  {
    allowed:
      /^(ledger\/(load-entries|ledger)|control-plane\/identity-store|capabilities\/(certificates\/(acme|certificate-store|order-budget)|apps\/(releases\/(archives|app-records)|task\/tasks)))\.ts$/,
    why: 'in the folder of the agent’s state',
  },
  {
    allowed:
      /^(node\/(durable-files|account-config)|capabilities\/(user\/account-database|cron\/cron|ftp-logins\/ftp-logins|php\/php|apps\/programs\/programs|certificates\/certificate-files))\.ts$/,
    why: 'in the agent’s state, in folders of /etc and /run/innkeeper',
  },
  { allowed: /^node\/placed-files\.ts$/, why: 'in folders of /etc and /usr that root alone may write to' },
  {
    allowed: /^capabilities\/web\/(sites|target)-folder\.ts$/,
    why: 'in /etc/innkeeper/sites',
  },
  { allowed: /^capabilities\/certificates\/challenge-files\.ts$/, why: 'in /var/lib/innkeeper/acme' },
  {
    allowed: /^capabilities\/apps\/nodejs\/(npm-package|unpack-package|place-nodejs)\.ts$/,
    why: 'in /opt/innkeeper',
  },
  { allowed: /^capabilities\/traffic\/traffic-log\.ts$/, why: 'in /var/log/innkeeper' },
  { allowed: /^(node\/changes|status\/status-server)\.ts$/, why: 'in /run/innkeeper' },
  { allowed: /^node\/cgroups\.ts$/, why: 'in the tree of the kernel’s cgroups, which has no links' },
];

/** Functions of node:fs, without `Sync` at the end. */
const changingFunctions = new Set(
  `appendFile chmod chown copyFile cp createWriteStream fchmod fchown ftruncate futimes lchmod lchown link lutimes mkdir
   mkdtemp open rename rm rmdir symlink truncate unlink utimes writeFile`.split(/\s+/),
);
const fileSystemImport =
  /(?:^|\n)\s*import\b(?!\s+type\b)([^'"`;]*?)from\s*['"](?:node:)?fs(?:\/promises)?['"]|\bimport\(\s*['"](?:node:)?fs/g;

/** Returns the imported functions of an agent module that change files; `everything` for an import without names. */
function changersIn(source: string): string[] {
  return [...source.matchAll(fileSystemImport)].flatMap(([, clause = '']) => {
    const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1];
    if (names === undefined) return ['everything'];
    const imported = names.split(',').map((name) => name.trim().split(/\s+as\s+/)[0]!);
    return imported.filter((name) => changingFunctions.has(name.replace(/Sync$/, '')));
  });
}

/** Tests, and the fakes that stand beside the code they replace. */
const TEST_FILES = /\/test\/|\.test\.ts$|\/fake(?:-[a-z-]+)?\.ts$/;

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Returns the modules that a source text imports, including dynamic imports of literals. */
export function importsOf(source: string): string[] {
  return [...source.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/** Returns the violations of one file, as sentences. */
export function violationsOf(file: string, source: string): string[] {
  const home = /^(?:apps|packages)\/[^/]+/.exec(file)?.[0];
  const isTest = TEST_FILES.test(file);
  const judgesAnyApi = /^scripts\/conformance(\.ts$|-suite\/)/.test(file) && !isTest;
  const found: string[] = [];
  const ofAgent = isTest ? undefined : /^apps\/agent\/src\/(.*)/.exec(file)?.[1];
  if (ofAgent !== undefined && !fileChangers.some(({ allowed }) => allowed.test(ofAgent)))
    for (const name of changersIn(source))
      found.push(`imports ${name} of node:fs: node/root-folder.ts changes files for root`);
  for (const module of importsOf(source)) {
    for (const rule of soleImporters) {
      if (rule.module.test(module) && !rule.allowed.test(file)) found.push(`imports ${module}: ${rule.why}`);
    }
    if (!isTest && module.startsWith('.') && TEST_FILES.test(module))
      found.push(`imports ${module}: only tests use fakes and test files`);
    if (judgesAnyApi && !isOfConformance(file, module))
      found.push(`imports ${module}: the conformance suite is written from the specification alone`);
    if (home === undefined) continue;
    if (module.startsWith('.') && relative(home, normalize(join(dirname(file), module))).startsWith('..')) {
      found.push(`imports ${module}: it leaves ${home}`);
    }
    const capability = capabilityOf(file);
    const other = module.startsWith('.') ? capabilityOf(normalize(join(dirname(file), module))) : undefined;
    if (
      !isTest &&
      capability !== undefined &&
      other !== undefined &&
      other !== capability &&
      !module.endsWith('/host.ts')
    )
      found.push(`imports ${module}: a capability sees nothing of another but its host.ts`);
    const workspace = /^@innkeeper\/([a-z-]+)(?:\/|$)/.exec(module)?.[1];
    if (workspace === undefined || home.endsWith(`/${workspace}`) || (isTest && workspace === 'testkit'))
      continue;
    if (!allowedPackages[home]?.includes(workspace)) {
      found.push(
        `imports ${module}: ${home} may import ${allowedPackages[home]?.join(', ') || 'no other package'}`,
      );
    }
  }
  return found;
}

/** Returns the folder of apps/agent/src/capabilities that contains a file. */
function capabilityOf(file: string): string | undefined {
  return /^apps\/agent\/src\/capabilities\/([^/]+)\//.exec(file)?.[1];
}

/** Returns whether a module is one of Node.js or a file of the suite. */
function isOfConformance(file: string, module: string): boolean {
  if (module.startsWith('node:')) return true;
  return (
    module.startsWith('.') && normalize(join(dirname(file), module)).startsWith('scripts/conformance-suite/')
  );
}

if (import.meta.main) {
  const files = globSync(['{apps,packages}/*/{src,test}/**/*.{ts,tsx}', 'scripts/**/*.ts']);
  const findings = files.flatMap((file) =>
    violationsOf(file, readFileSync(file, 'utf8')).map((sentence) => `${file} ${sentence}`),
  );
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) process.exit(1);
  console.log(`imports: ${files.length} files keep the rules`);
}
