package org.hourstone.server;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;

/**
 * The fields of a request's head, limited in number, since each takes a few hundred bytes even if
 * it is short.
 */
final class BoundedHeaders extends DefaultHttpHeaders {
  static final int MOST_FIELDS = 200;

  private BoundedHeaders() {
    super(
        DefaultHttpHeadersFactory.headersFactory().getNameValidator(),
        DefaultHttpHeadersFactory.headersFactory().getValueValidator());
  }

  static HttpHeadersFactory factory() {
    return new HttpHeadersFactory() {
      @Override
      public HttpHeaders newHeaders() {
        return new BoundedHeaders();
      }

      @Override
      public HttpHeaders newEmptyHeaders() {
        return new BoundedHeaders();
      }
    };
  }

  /** Called by the decoder for each field that it has read. */
  @Override
  public HttpHeaders add(CharSequence name, Object value) {
    if (size() == MOST_FIELDS) {
      throw new IllegalArgumentException("more than " + MOST_FIELDS + " fields");
    }
    return super.add(name, value);
  }
}
