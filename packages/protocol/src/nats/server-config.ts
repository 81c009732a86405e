export interface NatsServerConfig {
  port: number;
  certificateFile: string;
  keyFile: string;
  operatorJwt: string;
  accountPublicKey: string;
  accountJwt: string;
  systemPublicKey: string;
  systemJwt: string;
}

/** The configuration of a nats-server (2.9 or newer) that accepts only users signed by our account. */
export function renderNatsServerConfig(config: NatsServerConfig): string {
  return `# Written by innctl init; changes are lost when it runs again.
port: ${config.port}
tls {
  cert_file: ${quote(config.certificateFile)}
  key_file: ${quote(config.keyFile)}
  timeout: 5
}
operator: ${quote(config.operatorJwt)}
system_account: ${config.systemPublicKey}
resolver: MEMORY
resolver_preload {
  ${config.accountPublicKey}: ${quote(config.accountJwt)}
  ${config.systemPublicKey}: ${quote(config.systemJwt)}
}
max_payload: 1048576
`;
}

/** Throws for a text that the format could parse as more than one value. */
function quote(text: string): string {
  if (!/^[\w./=+@:-]+$/.test(text))
    throw new Error(`${text} cannot stand in a NATS configuration: only letters, digits and ./=+@:_- can.`);
  return `"${text}"`;
}
