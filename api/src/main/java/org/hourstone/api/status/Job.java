package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.api.request.JobCommands.JobOutput;
import org.hourstone.internal.Json;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/** A job that runs, or has ended. Thread-safe. */
final class Job implements JobOutput {
  /** Older lines are dropped, each counted with what it takes besides its characters. */
  static final int MOST_CHARACTERS = 1_000_000;

  private static final int BESIDES = 60;
  private static final int LONGEST_LINE = 1000;

  /** Those of a job that has ended before another one. */
  private static final int MOST_LINES = 1000;

  enum State {
    RUNNING,
    DONE,
    /** It has done its work, and found something that is not as it should be. */
    INCOMPLETE,
    FAILED,
    CANCELLED;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final long id;
  private final String kind;
  private final String command;
  private final String client;
  private final Instant started;
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile boolean cancelled;

  // Guarded by this.

  private State state = State.RUNNING;
  private @Nullable Instant ended;
  private final Deque<String> lines = new ArrayDeque<>();
  private long dropped;
  private int characters;
  private long rows = -1;
  private int done;
  private int parts;

  Job(long id, String kind, String command, String client, Instant started) {
    this.id = id;
    this.kind = kind;
    this.command = command;
    this.client = client;
    this.started = started;
  }

  long id() {
    return id;
  }

  String kind() {
    return kind;
  }

  String command() {
    return command;
  }

  String client() {
    return client;
  }

  Instant started() {
    return started;
  }

  synchronized State state() {
    return state;
  }

  /** When it ended; null while it runs. */
  synchronized @Nullable Instant ended() {
    return ended;
  }

  void cancel() {
    cancelled = true;
  }

  /** Waits for its end. */
  void await() throws InterruptedException {
    end.await();
  }

  /** Waits for its end, for a time; returns whether it has ended. */
  boolean await(Duration most) throws InterruptedException {
    return end.await(most.toMillis(), TimeUnit.MILLISECONDS);
  }

  void end(State how, Instant now) {
    synchronized (this) {
      state = how;
      ended = now;
    }
    end.countDown();
  }

  @Override
  public synchronized void line(String text) {
    String line = SingleLine.of(text);
    String kept = line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "…" : line;
    lines.add(kept);
    characters += kept.length() + BESIDES;
    while (characters > MOST_CHARACTERS) {
      drop();
    }
  }

  private void drop() {
    characters -= lines.remove().length() + BESIDES;
    dropped++;
  }

  /** Drops all but the latest lines, once whoever follows the job has had time to read them. */
  synchronized void shorten() {
    while (lines.size() > MOST_LINES) {
      drop();
    }
  }

  /** The latest line; empty before the first. */
  synchronized String lastLine() {
    String last = lines.peekLast();
    return last == null ? "" : last;
  }

  @Override
  public synchronized void progress(long nowRows, int nowDone, int nowParts) {
    rows = nowRows;
    done = nowDone;
    parts = nowParts;
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  synchronized ObjectNode json() {
    ObjectNode json =
        Json.object()
            .put("id", id)
            .put("kind", kind)
            .put("command", command)
            .put("state", state.text())
            .put("client", client)
            .put("started", started.toEpochMilli());
    if (ended != null) {
      json.put("ended", ended.toEpochMilli());
    } else if (cancelled) {
      json.put("cancelled", true);
    }
    if (rows >= 0) {
      json.put("rows", rows);
    }
    if (parts > 0) {
      json.put("percent", 100L * done / parts);
    }
    return json.put("line", lastLine());
  }

  /**
   * With its output.
   *
   * @param from the number of the first line that is wanted
   */
  synchronized ObjectNode json(long from) {
    ObjectNode json = json();
    json.put("lines", dropped + lines.size());
    ArrayNode output = json.putArray("output");
    long number = dropped;
    for (String line : lines) {
      if (number++ >= from) {
        output.add(line);
      }
    }
    return json;
  }
}
