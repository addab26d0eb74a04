package org.hourstone.server;

/** A static file, or a short text that the server itself answers with. */
record Page(int status, String contentType, byte[] content) {
  /** Nothing from elsewhere is loaded or executed. */
  static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}
