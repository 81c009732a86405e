export { createDomain } from './create-domain.ts';
export { getDomain } from './get-domain.ts';
export { installSsl, type SslRequest } from './install-ssl.ts';
export { listDomains } from './list-domains.ts';
export { createNameGuard, type NameGuard, noNameGuard, type ResolveTxt } from './name-guard.ts';
export { removeDomain } from './remove-domain.ts';
export { findOverlapsOf, listReservedOverlaps, overlapSentence } from './reserved-names.ts';
