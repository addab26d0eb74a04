package org.hourstone.api;

import java.io.IOException;
import java.io.OutputStream;

/** A body that is made while it is written, once, by one thread. */
interface AnswerBody extends AutoCloseable {
  void writeTo(OutputStream out) throws IOException;

  /** Lets go of what the body is made from; may be repeated. */
  @Override
  void close();
}
