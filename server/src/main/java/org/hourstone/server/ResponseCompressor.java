package org.hourstone.server;

import io.netty.handler.codec.compression.StandardCompressionOptions;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/**
 * Compresses responses for clients that accept gzip or deflate. A response that ends with the
 * connection is not compressed: it would then be sent in chunks, which an HTTP/1.0 client does not
 * understand.
 */
final class ResponseCompressor extends HttpContentCompressor {
  ResponseCompressor() {
    super(StandardCompressionOptions.gzip(), StandardCompressionOptions.deflate());
  }

  @Override
  protected @Nullable Result beginEncode(HttpResponse response, String accepted) throws Exception {
    boolean hasEnd =
        HttpUtil.isContentLengthSet(response) || HttpUtil.isTransferEncodingChunked(response);
    return hasEnd ? super.beginEncode(response, accepted) : null;
  }
}
