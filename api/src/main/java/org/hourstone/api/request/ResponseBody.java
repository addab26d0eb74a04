package org.hourstone.api.request;

import java.io.IOException;
import java.io.OutputStream;

/** A body that is generated while it is written, once, by one thread. */
public interface ResponseBody extends AutoCloseable {
  void writeTo(OutputStream out) throws IOException;

  /** Releases the resources of the body; may be called again. */
  @Override
  void close();
}
