package org.hourstone.server;

import io.netty.handler.codec.compression.StandardCompressionOptions;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/**
 * Compresses responses for clients that accept gzip or deflate. Not one that goes up to the
 * connection's end: compressed it would be in chunks, which its client of HTTP/1.0 does not
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
