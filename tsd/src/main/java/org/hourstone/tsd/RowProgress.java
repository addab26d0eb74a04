package org.hourstone.tsd;

import java.util.Locale;

/** Shows on a terminal how many rows a long command has read; otherwise nothing. */
final class RowProgress implements AutoCloseable {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Session session;
  private boolean shown;

  RowProgress(Session session) {
    this.session = session;
  }

  void read(long rows) {
    if (session.streams().errIsTerminal()) {
      session.err().print(String.format(Locale.ROOT, "\r%,d rows read", rows));
      session.err().flush();
      shown = true;
    }
  }

  /** Erases the line, to make room for another. */
  void clear() {
    if (shown) {
      session.err().print(CLEAR_LINE);
      session.err().flush();
      shown = false;
    }
  }

  @Override
  public void close() {
    clear();
  }
}
