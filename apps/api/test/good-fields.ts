import type { EndpointName } from '@innkeeper/contract';

const limits = {
  disk_limit_mb: 100,
  bandwidth_limit_mb: 100,
  cpu_limit_percent: 100,
  ram_limit_mb: 128,
  max_domains: 1,
  max_databases: 0,
  max_apps: 0,
};
/** Fields that make each endpoint with required fields succeed. */
export const goodFields: Partial<
  Record<
    EndpointName,
    {
      query?: string;
      body?: object | string;
      headers?: Record<string, string>;
      parts?: Record<string, string>;
    }
  >
> = {
  checkUsername: { query: 'username=bob' },
  getBulkUsage: { query: 'hosting_account_id[]=1&hosting_account_id[]=2' },
  createAccount: {
    body: { username: 'bob', name: 'Bob', email: 'bob@example.com', password: 'correct horse', ...limits },
  },
  createLoginLink: { body: { target: 'files' } },
  followLoginLink: { query: `expires=1795221757&target=app&app_id=3&signature=${'f'.repeat(64)}` },
  setAccountPassword: { body: { password: 'correct horse' } },
  changeAccountPackage: { body: { package_id: 1 } },
  setAccountResources: { body: { ...limits, terminal_access: false } },
  createDomain: { body: { hosting_account_id: 1, domain_name: 'shop.example.com' } },
  installSsl: { body: { email: 'tls@example.com' } },
  createApp: {
    body: {
      hosting_account_id: 1,
      template_key: 'nodejs',
      name: 'Shop',
      domain_id: 1,
      node_version: '22',
      start_command: 'npm start',
      env: { A: '1' },
      git: { repository: 'https://git.example.com/a/b' },
    },
  },
  deployZip: {
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: '--b\r\nContent-Disposition: form-data; name="archive"; filename="a.zip"\r\n\r\nPK\r\n--b--\r\n',
  },
  createDatabase: { body: { hosting_account_id: 1, name: 'Blog' } },
  allowDatabaseIp: { body: { ip: '2001:db8::7' } },
  revokeDatabaseIp: { parts: { ip: '2001:db8::7' } },
  createCronJob: { body: { hosting_account_id: 1, schedule: '@daily', command: 'php x.php' } },
  updateCronJob: { body: { name: 'Nightly', schedule: '0 3 * * *', command: 'php x.php', enabled: false } },
};
