/** Why a request did not end with a complete answer. `reason` is one sentence for a person. */
export type Failure = {
  kind: 'refused' | 'unresolved' | 'timeout' | 'connection' | 'certificate' | 'protocol';
  reason: string;
};

const CONNECTION: Record<string, string> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection before its answer was complete.',
  EPIPE: 'The receiver closed the connection before its answer was complete.',
  EHOSTUNREACH: 'The receiver cannot be reached from here.',
  ENETUNREACH: 'The receiver cannot be reached from here.',
  EADDRNOTAVAIL: 'The receiver cannot be reached from here.',
  ETIMEDOUT: 'The receiver did not accept the connection in time.',
};

const CERTIFICATE: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the receiver is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the receiver is signed by itself and not by an authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the receiver comes from an authority that is not known.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate of the receiver cannot be verified; its chain may be incomplete.',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate of the receiver comes from an authority that is not known.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The certificate of the receiver comes from an authority that is not known.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another name.',
  CERT_REVOKED: 'The certificate of the receiver was revoked.',
  CERT_SIGNATURE_FAILURE: 'The signature of the certificate of the receiver is wrong.',
  HOSTNAME_MISMATCH: 'The certificate of the receiver is for another name.',
};

/** Puts an error of the socket, of TLS or of the HTTP parser into words. */
export function describeError(error: unknown): Failure {
  const code = codeOf(error);
  const certificate = CERTIFICATE[code];
  if (certificate) return { kind: 'certificate', reason: certificate };
  if (code.startsWith('CERT_'))
    return { kind: 'certificate', reason: `The certificate of the receiver is not accepted (${code}).` };
  if (code === 'HPE_HEADER_OVERFLOW')
    return { kind: 'protocol', reason: 'The headers of the answer are too large.' };
  if (code.startsWith('HPE_'))
    return { kind: 'protocol', reason: 'The receiver did not answer in valid HTTP.' };
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    return {
      kind: 'connection',
      reason: 'No TLS connection could be made; the receiver may not speak https on this port.',
    };
  }
  const connection = CONNECTION[code];
  return { kind: 'connection', reason: connection ?? `The connection failed (${code}).` };
}

export function timedOut(budgetMs: number): Failure {
  return { kind: 'timeout', reason: `No complete answer came within ${budgetMs / 1000} seconds.` };
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}
