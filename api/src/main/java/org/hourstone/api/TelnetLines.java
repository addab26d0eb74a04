package org.hourstone.api;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.hourstone.internal.OutOfMemoryReport;
import org.hourstone.write.Receipt;
import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;

/**
 * Executes the lines of one connection from their bytes, in their order: points of known series
 * without an object for each, some at a time, all other lines as {@link Telnet#respond}. Replies
 * are the same. For one thread at a time.
 */
public final class TelnetLines implements Receipt {
  /** Maximum number of points that are handed over together. */
  private static final int MOST_POINTS = 4096;

  /** Of how many lines the series are looked for together: more if that is quick. */
  private static final int LEAST_AHEAD = 64;

  private static final int MOST_AHEAD = 512;

  /** Other connections wait for so long. */
  private static final long QUICK_NANOS = 2_000_000;

  private final Telnet telnet;
  private final @Nullable TextPoints points;
  private final Consumer<String> replies;
  private final String client;

  /** Up to where the series of lines were looked for, in the array of these lines. */
  private int preparedTo;

  private byte @Nullable [] prepared;
  private int ahead = LEAST_AHEAD;
  private int outOfMemory;
  private int pointsOutOfMemory;

  /**
   * @param points null if points are refused
   */
  TelnetLines(Telnet telnet, @Nullable TextPoints points, Consumer<String> replies, String client) {
    this.telnet = telnet;
    this.points = points;
    this.replies = replies;
    this.client = client;
  }

  /**
   * Executes a line, or gathers its point. If memory runs out, {@link #finish} replies with that
   * error: later lines may need less memory.
   *
   * @param to the index of its end, without a line feed; a carriage return before it is dropped
   * @param end the index after the last line that may be executed next: if a series is new, those
   *     of the next lines are resolved, too
   * @return whether it took little time: the point of a known series was gathered
   */
  public boolean execute(byte[] text, int from, int to, int end) {
    try {
      if (points == null) {
        respond(text, from, to);
      } else if (points.addTelnetLine(text, from, to, 0)) {
        if (points.size() < MOST_POINTS) {
          return true;
        }
        send();
      } else if (!prepare(points, text, from, end) || !points.addTelnetLine(text, from, to, 0)) {
        respond(text, from, to);
      }
    } catch (OutOfMemoryError e) {
      OutOfMemoryReport.report(e);
      outOfMemory++;
      pointsOutOfMemory += Telnet.maybePoint(text, from, to) ? 1 : 0;
    }
    return false;
  }

  /** Looks for the series of a line and of the next ones, unless that was done. */
  private boolean prepare(TextPoints into, byte[] text, int from, int end) {
    if (text == prepared && from < preparedTo) { // it is not a usual line
      return false;
    }
    long begun = System.nanoTime();
    prepared = text;
    preparedTo = into.prepareTelnetLines(text, from, end, ahead);
    boolean isQuick = System.nanoTime() - begun < QUICK_NANOS;
    ahead = isQuick ? Math.min(MOST_AHEAD, ahead * 2) : Math.max(LEAST_AHEAD, ahead / 2);
    return true;
  }

  private void respond(byte[] text, int from, int to) {
    send();
    var unused = telnet.respond(text, from, to, client).thenAccept(this::reply);
  }

  /**
   * Whether a line has no other effect than its reply, so that it need not be executed if the reply
   * is not sent.
   */
  public boolean onlyReplies(byte[] text, int from, int to) {
    return telnet.onlyReplies(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
  }

  private void reply(String reply) {
    if (!reply.isEmpty()) {
      replies.accept(reply);
    }
  }

  /** Sends the gathered points; must be called after the last available line. */
  public void finish() {
    prepared = null; // the array may be used for other lines
    send();
    if (outOfMemory > 0) {
      replies.accept(telnet.refusedForMemory(outOfMemory, pointsOutOfMemory, client));
      outOfMemory = 0;
      pointsOutOfMemory = 0;
    }
  }

  private void send() {
    if (points != null && points.size() > 0) {
      points.send(this);
    }
  }

  @Override
  public void stored(long token) {
    // is not replied to
  }

  @Override
  public void stored(long[] tokens, int from, int to) {
    // is not replied to
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    replies.accept(telnet.refused(Telnet.PUT, "", client, reason));
  }
}
