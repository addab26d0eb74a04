package org.hourstone.api.query;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.export.Export;

/**
 * An export, which is read as it is written; the first piece before, so that a failure until then
 * produces an error response. For one thread.
 */
final class ExportedText implements ResponseBody {
  private final Export export;
  private byte[] first;

  private ExportedText(Export export, byte[] first) {
    this.export = export;
    this.first = first;
  }

  static ExportedText begin(Export export) {
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    try {
      var unused = export.next(first);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return new ExportedText(export, first.toByteArray());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    out.write(first);
    first = new byte[0];
    boolean more = true;
    while (more) {
      more = export.next(out);
    }
  }

  @Override
  public void close() {
    first = new byte[0];
    export.close();
  }
}
