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

  private final Telnet telnet;
  private final @Nullable TextPoints points;
  private final Consumer<String> replies;
  private final String client;
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
   * @return whether it took little time: the point of a known series was gathered
   */
  public boolean execute(byte[] text, int from, int to) {
    try {
      if (points == null || !points.addTelnetLine(text, from, to, 0)) {
        send();
        var unused = telnet.respond(text, from, to, client).thenAccept(this::reply);
      } else if (points.size() >= MOST_POINTS) {
        send();
      } else {
        return true;
      }
    } catch (OutOfMemoryError e) {
      OutOfMemoryReport.report(e);
      outOfMemory++;
      pointsOutOfMemory += Telnet.maybePoint(text, from, to) ? 1 : 0;
    }
    return false;
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
