import type { InstallationFile } from '../up.ts';
import { RESELLER_POOL } from './conformance-tokens.ts';

const ADMIN = 'admin';
const ADMIN_PASSWORD_FILE = '.run/secrets/admin-password';

/** The final output of `./scripts/up`. */
export function summaryOf(installation: InstallationFile): string {
  const { base_url, token, nodes, demo, app_sources, conformance_tokens } = installation;
  const body = JSON.stringify({
    username: 'alice',
    name: 'Alice',
    email: 'alice@example.com',
    password: 'correct horse battery',
    package_id: demo.package_id,
  });
  return `
Innkeeper is up.

  Panel      ${new URL(base_url).origin}/ as ${ADMIN}, whose password is in ${ADMIN_PASSWORD_FILE}
  Base URL   ${base_url}
  Token      ${token}
  Servers    ${nodes.map((node) => `${node.name} (${node.address})`).join(', ')}
  Demo       http://${demo.domain}/ on ${demo.node}, account ${demo.username}
  Apps       ${app_sources.missing === undefined ? 'all templates can be installed' : `not installable: ${app_sources.missing}`}

Try next:

  curl -s -H 'Authorization: Bearer ${token}' ${base_url}/accounts

  curl -s -X POST -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\
    -d '${body}' ${base_url}/accounts

  curl -s -H 'Host: ${demo.domain}' http://${demo.address}/
${conformance_tokens === undefined ? '' : `\n  ${conformanceCommand(base_url, conformance_tokens)}\n`}
The file .run/panel.json has all of this. ./scripts/box list lists the servers, ./scripts/down stops everything.`;
}

function conformanceCommand(baseUrl: string, tokens: string): string {
  const pool = Object.entries(RESELLER_POOL).map(([name, size]) => `--reseller-pool ${name}=${size}`);
  return `./scripts/conformance ${baseUrl} @.run/secrets/token --tokens ${tokens} ${pool.join(' ')}`;
}
