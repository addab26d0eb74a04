package org.hourstone.api.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import org.hourstone.internal.Json;

/** A body that is generated while it is written, once, by one thread. */
public interface ResponseBody extends AutoCloseable {
  void writeTo(OutputStream out) throws IOException;

  /** Statistics of its generation so far, under OpenTSDB's names; may be empty. */
  default ObjectNode stats() {
    return Json.object();
  }

  /** Releases the resources of the body; may be called again. */
  @Override
  void close();
}
