package org.hourstone.api.put;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hourstone.api.endpoint.HandlingRoom;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;

/**
 * A put whose body arrives in parts. It is handled in blocks of whole points: those of one are
 * stored, or known not to be, before the next is parsed, so that no more than a block is in memory.
 * Each block is parsed as a body of its own. A body that fits into one is handled as a whole:
 * nothing of it is stored if it is malformed. For one thread at a time.
 */
public final class StreamedPut {
  /** How many characters of errors are listed, at most; there may be one for each point. */
  private static final int MOST_LISTED = 1 << 20;

  private final PutEndpoint endpoint;
  private final PutKind kind;
  private final PutReader reader;
  private final ApiCall call;
  private final long timeoutMillis;
  private final int blockBytes;
  private final PointSplitter splitter = new PointSplitter();
  private final PutTotals totals;
  private final List<String> listed = new ArrayList<>();
  private long listedLength;
  private long unlisted;
  private long waitedNanos;

  /** What has arrived and was not written. */
  private byte[] text = {};

  private int length;
  private boolean begun;

  /** Whether the last block ended within an array; then the text begins with {@code [}. */
  private boolean isWithinArray;

  /**
   * @param timeoutMillis how long to wait for points to be stored, in all; 0 for no limit
   */
  StreamedPut(
      PutEndpoint endpoint,
      PutKind kind,
      PutReader reader,
      ApiCall call,
      long timeoutMillis,
      int blockBytes) {
    this.endpoint = endpoint;
    this.totals = endpoint.totals(call);
    this.kind = kind;
    this.reader = reader;
    this.call = call;
    this.timeoutMillis = timeoutMillis;
    this.blockBytes = blockBytes;
  }

  /**
   * Takes the next bytes of the body, and writes a block if there is one.
   *
   * @throws ApiException if the body can't be read; its message has the number of points before
   */
  public void add(byte[] part, int from, int to) {
    int next = from;
    while (next < to) {
      if (length == 0 && isBlank(part[next])) {
        next++; // between values, where blanks need not be kept
        continue;
      }
      int count = Math.min(to - next, blockBytes + 1 - length);
      append(part, next, count);
      next += count;
      splitter.read(text, length);
      if (length > blockBytes) {
        writeBlock();
      }
    }
  }

  private void append(byte[] part, int from, int count) {
    if (length + count > text.length) {
      int size = Math.min(Math.max(2 * text.length, length + count), blockBytes + 1);
      text = Arrays.copyOf(text, size);
    }
    System.arraycopy(part, from, text, length, count);
    length += count;
  }

  private void writeBlock() {
    int cut = splitter.cut();
    if (splitter.hasFault()) {
      write(length); // which fails, so that the fault is named
    } else if (cut > 0) {
      writeUntil(cut);
    } else if (blanks() > 0) {
      remove(blanks());
    } else if (Json.isBeginning(new String(text, 0, length, UTF_8).getBytes(UTF_8))) {
      throw explained(
          new ApiException(
              ApiException.TOO_LARGE, "A data point has more than " + blockBytes + " bytes"));
    } else {
      write(length); // which fails, too
    }
  }

  private void writeUntil(int cut) {
    boolean cutsArray = splitter.cutsArray();
    if (cutsArray) {
      text[cut] = ']';
      write(cut + 1);
      text[cut] = '[';
    } else {
      write(cut);
    }
    isWithinArray = cutsArray;
    remove(cut);
  }

  /** How many blanks the text begins with. */
  private int blanks() {
    int blanks = 0;
    while (blanks < length && isBlank(text[blanks])) {
      blanks++;
    }
    return blanks;
  }

  private static boolean isBlank(byte character) {
    return character == ' ' || character == '\n' || character == '\r' || character == '\t';
  }

  private void remove(int bytes) {
    text = Arrays.copyOfRange(text, bytes, length);
    length -= bytes;
    splitter.removed(bytes);
  }

  /** Writes the points of a block, which the text begins with, when there is room for it. */
  private void write(int block) {
    HandlingRoom.BLOCKS.handle(block, () -> writeNow(block));
  }

  private void writeNow(int block) {
    PutBlock points = parse(block);
    begun = true;
    points.write(call);
    long start = System.nanoTime();
    points.receipts().await(timeoutMillis == 0 ? 0 : Math.max(1, timeoutMillis - waitedMillis()));
    waitedNanos += System.nanoTime() - start;
    totals.add(points);
    if (call.has("details")) {
      points.errors().forEach(this::list);
    }
  }

  private PutBlock parse(int block) {
    try {
      if (isWithinArray && isEmpty(block)) {
        throw RequestBody.unparsable("a comma before the end of the array");
      }
      return PutBlock.parse(kind, reader, text, block, totals.points());
    } catch (ApiException e) {
      throw explained(e);
    }
  }

  /** Whether the array that a block begins with has nothing but blanks. */
  private boolean isEmpty(int block) {
    int first = 1;
    while (first < block && isBlank(text[first])) {
      first++;
    }
    return first < block && text[first] == ']';
  }

  /** An error with what has become of the points before it. */
  public ApiException explained(ApiException e) {
    return e.with(
        totals.status(e.status()), e.getMessage() + totals.beforeError(), e.details() + origin(e));
  }

  /** From where a place in the details is counted, if that is not the body's beginning. */
  private String origin(ApiException e) {
    return totals.points() > 0 && e.details().contains("(line ")
        ? ", counted from "
            + (isWithinArray
                ? "the comma before data point " + (totals.points() + 1)
                : "the end of data point " + totals.points())
        : "";
  }

  private long waitedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(waitedNanos);
  }

  private void list(String error) {
    if (unlisted > 0 || listedLength + error.length() > MOST_LISTED) {
      unlisted++;
    } else {
      listed.add(error);
      listedLength += error.length();
    }
  }

  /**
   * The body has been added completely.
   *
   * @throws ApiException as {@link #add}, and as for a body that was handled whole
   */
  public ApiResponse response() {
    if (!begun) {
      return endpoint.respond(call, text, length);
    }
    if (blanks() < length) {
      write(length);
    }
    PutEndpoint.checkNotEmpty(totals.points());
    return totals.respond(
        call,
        timeoutMillis > 0,
        summary -> {
          if (unlisted > 0) {
            summary.put("unlisted", unlisted);
          }
          return new PutDetails(summary, listed.stream());
        });
  }

  /** How much memory it takes until more is added. */
  public long heldBytes() {
    return text.length + listedLength;
  }
}
