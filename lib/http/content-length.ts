/**
 * Next drops `Content-Length` from what a route answers, so that a recording would be sent in chunks of unknown total.
 * A route that knows its length repeats it under this name, and the server in front of Next puts it back.
 */
export const BODY_BYTES_HEADER = 'x-body-bytes';
