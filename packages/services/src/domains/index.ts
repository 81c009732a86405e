export { createDomain, type NewDomain } from './create-domain.ts';
export type { DomainListItem, DomainView } from './domain-view.ts';
export { getDomain } from './get-domain.ts';
export { installSsl, type SslRequest } from './install-ssl.ts';
export { listDomains } from './list-domains.ts';
export { removeDomain } from './remove-domain.ts';
