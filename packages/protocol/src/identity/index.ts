export {
  type CertificateAuthority,
  createCertificateAuthority,
  loadCertificateAuthority,
} from './certificate-authority.ts';
export { checkCsr, makeCsr } from './csr.ts';
export { fingerprintOf } from './fingerprint.ts';
export { decodeJoinToken, encodeJoinToken, type JoinToken } from './join-token.ts';
export { generatePrivateKeyPem } from './key-pair.ts';
export {
  type CertificateIssue,
  createVerifyPeer,
  NODE_CERTIFICATE_LIFETIME_MS,
  type NodePeer,
  type PeerVerdict,
  signNodeCertificate,
  type VerifyPeer,
  verifyPeer,
} from './node-certificate.ts';
export { type ServerCertificate, signServerCertificate } from './server-certificate.ts';
