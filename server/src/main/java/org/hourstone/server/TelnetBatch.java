package org.hourstone.server;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hourstone.api.Telnet;
import org.hourstone.api.TelnetLines;
import org.hourstone.internal.ByteSearch;
import org.jspecify.annotations.Nullable;

/**
 * Executes the lines of a connection in turns of some milliseconds, so that other connections wait
 * no longer than that. A connection that has used much time has its next turns after those that
 * have not. For one thread at a time.
 */
final class TelnetBatch {
  private static final String EXIT = "exit";
  private static final int MOST_LOGGED = 1024;
  private static final long TURN_NANOS = 5_000_000;

  /** A connection that uses more than this part of a thread's time has its turns after others. */
  private static final int USUAL_SHARE = 20;

  private static final long MOST_BUSY_NANOS = 1_000_000_000;

  /** Points of known series need little time each. */
  private static final int POINTS_PER_CHECK = 128;

  /** The state after a turn. */
  enum State {
    DONE,
    /** There are more lines. */
    UNFINISHED,
    /** The client asked to close the connection; the lines after that are not executed. */
    EXIT,
    FAILED
  }

  private final Telnet telnet;
  private final Connections connections;
  private final TelnetReplies replies;
  private final String client;
  private final int maxLine;
  private @Nullable TelnetLines lines;
  private byte[] text = {};
  private int at;
  private int end;

  /** The beginning of the line whose rest is the first one, as it is too long; else null. */
  private byte @Nullable [] skipped;

  /** When the time that was used is no more than the usual share of the time that has passed. */
  private long busyUntil = System.nanoTime();

  /**
   * @param client the address of the connection, for the log
   * @param maxLine the maximum number of bytes of a line
   */
  TelnetBatch(
      Telnet telnet, Connections connections, TelnetReplies replies, String client, int maxLine) {
    this.telnet = telnet;
    this.connections = connections;
    this.replies = replies;
    this.client = client;
    this.maxLine = maxLine;
  }

  /**
   * Sets the lines to execute.
   *
   * @param from the index of the first
   * @param to the index after the line feed of the last one
   * @param longLine the beginning of a line that is too long, if the first one is its rest; else
   *     null
   */
  void begin(byte[] bytes, int from, int to, byte @Nullable [] longLine) {
    text = bytes;
    at = from;
    end = to;
    skipped = longLine;
  }

  /** Whether its connection has used more than the usual share of time. */
  boolean takesLong() {
    return System.nanoTime() - busyUntil < 0;
  }

  /** Whether no line may wait for the store. */
  boolean isMonitoring() {
    return telnet.neverWaits(text, at, end, EXIT);
  }

  void reply(String reply) {
    replies.send(reply);
  }

  /** Executes lines until there are no more or the turn is over. */
  State work() {
    long begun = System.nanoTime();
    State state = State.FAILED;
    try {
      state = execute(begun);
      return state;
    } finally {
      long now = System.nanoTime();
      long base = now - busyUntil > 0 ? now : busyUntil;
      busyUntil = Math.min(base + USUAL_SHARE * (now - begun), now + MOST_BUSY_NANOS);
      if (state != State.UNFINISHED) {
        text = new byte[0];
      }
    }
  }

  private State execute(long begun) {
    TelnetLines lines = lines();
    int counted = 0;
    int unchecked = 0;
    try {
      while (at < end) {
        int to = ByteSearch.indexOf(text, at, end, '\n');
        int from = at;
        at = to + 1;
        counted++;
        if (text[from] != 'p') {
          connections.received(false, counted); // the client may request it
          counted = 0;
        }
        boolean isQuick = false;
        if (skipped != null || to - from > maxLine) {
          lines.finish(); // replies have the order of the lines
          byte[] beginning = skipped == null ? beginning(text, from, to) : skipped;
          reply(telnet.refuseLongLine(maxLine, beginning, client));
        } else if (isExit(text, from, to)) {
          return State.EXIT;
        } else if (!replies.areRead() && lines.onlyReplies(text, from, to)) {
          connections.unreadReply(); // the reply would be dropped
        } else {
          isQuick = lines.execute(text, from, to, end);
        }
        skipped = null;
        unchecked++;
        if (!isQuick || unchecked == POINTS_PER_CHECK) {
          unchecked = 0;
          if (at < end && System.nanoTime() - begun >= TURN_NANOS) {
            return State.UNFINISHED;
          }
        }
      }
      return State.DONE;
    } finally {
      connections.received(false, counted);
      lines.finish();
    }
  }

  private TelnetLines lines() {
    TelnetLines used = lines;
    if (used == null) {
      used = telnet.lines(replies::send, client);
      lines = used;
    }
    return used;
  }

  /** As much of a line as the log shows. */
  static byte[] beginning(byte[] text, int from, int to) {
    return Arrays.copyOfRange(text, from, Math.min(to, from + MOST_LOGGED));
  }

  /** Whether a line is the command that ends the connection. */
  static boolean isExit(byte[] text, int from, int to) {
    return text[from] != 'p'
        && new String(text, from, to - from, StandardCharsets.ISO_8859_1).strip().equals(EXIT);
  }
}
