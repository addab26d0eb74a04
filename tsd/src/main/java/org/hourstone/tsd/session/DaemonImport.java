package org.hourstone.tsd.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.EOFException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.error.RequestException;
import org.hourstone.kv.StoreException;
import org.hourstone.write.ImportException;
import org.hourstone.write.ImportListener;
import org.hourstone.write.ImportOptions;
import org.hourstone.write.ImportReport;
import org.hourstone.write.LineParser;
import org.hourstone.write.LineSource;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * Has a daemon store the points of lines, in the order of the lines: the points of one request are
 * stored, or known not to be, before the next is sent. Points may be sent twice, which changes
 * nothing, since those of a request that failed in part are sent again when the import continues.
 */
public final class DaemonImport implements LineImport {
  private static final String PUT = "/api/put?details";
  private static final int MOST_POINTS = 1000;
  private static final int MOST_CHARACTERS = 250_000;
  private static final int LINES_PER_SAFE_POINT = 100_000;
  private static final int STORE_FAILED = 503;

  private final DaemonClient daemon;
  private final LineParser parser;
  private final ImportOptions options;
  private final ImportListener listener;
  private final ObjectMapper json = new ObjectMapper();
  private final List<Sent> batch = new ArrayList<>();
  private int characters;

  /** The line of the current file up to which all are stored, or were reported. */
  private long settled;

  private final AtomicLong stored = new AtomicLong();
  private long lines;
  private long rejected;

  /** A point that is sent, and the line that it is from. */
  private record Sent(long line, String original, ObjectNode point) {}

  public DaemonImport(
      DaemonClient daemon, LineParser parser, ImportOptions options, ImportListener listener) {
    this.daemon = daemon;
    this.parser = parser;
    this.options = options;
    this.listener = listener;
  }

  @Override
  public void run(String file, LineSource source, long skip) {
    batch.clear();
    characters = 0;
    settled = skip;
    try {
      skip(file, source, skip);
      while (read(file, source)) {
        if (batch.size() == MOST_POINTS || characters >= MOST_CHARACTERS) {
          send(file);
          if (listener.isStopped()) {
            throw new ImportException(file + ": stopped after line " + source.lineNumber());
          }
        }
        if (source.lineNumber() % LINES_PER_SAFE_POINT == 0) {
          send(file);
          settled = source.lineNumber();
          listener.stored(file, settled);
        }
      }
      send(file);
      settled = source.lineNumber();
    } catch (RejectedLine e) {
      settled = e.line - 1;
      throw new ImportException(String.valueOf(e.getMessage()), e);
    } finally {
      listener.stored(file, settled);
    }
  }

  private void skip(String file, LineSource source, long skip) {
    while (source.lineNumber() < skip) {
      if (next(file, source) == null) {
        throw new ImportException(
            file
                + ": has "
                + source.lineNumber()
                + " lines, fewer than the "
                + skip
                + " that are stored");
      }
    }
  }

  private @Nullable String next(String file, LineSource source) {
    try {
      return source.next();
    } catch (EOFException e) {
      throw new ImportException(
          file + ": truncated after line " + source.lineNumber() + "; the lines before are stored",
          e);
    } catch (IOException e) {
      throw new ImportException(
          file
              + (listener.isStopped()
                  ? ": stopped after line " + source.lineNumber()
                  : ": cannot be read after line " + source.lineNumber() + ": " + e.getMessage()),
          e);
    }
  }

  /** Reads a line; returns whether there was one. */
  private boolean read(String file, LineSource source) {
    String text;
    try {
      text = next(file, source);
    } catch (ImportException e) {
      send(file);
      throw e;
    }
    if (text == null) {
      return false;
    }
    String problem = source.problem();
    if (problem == null && options.isSkipped(text)) {
      return true;
    }
    lines++;
    listener.read(1);
    try {
      if (problem != null) {
        throw new RequestException(problem);
      }
      ObjectNode point = point(text);
      batch.add(new Sent(source.lineNumber(), source.original(), point));
      characters += text.length();
    } catch (RequestException e) {
      send(file); // so that lines are reported in their order
      reject(file, source.lineNumber(), source.original(), String.valueOf(e.getMessage()));
    }
    return true;
  }

  private ObjectNode point(String line) {
    LineParser.Words words = parser.importWords(line);
    ObjectNode point =
        json.createObjectNode()
            .put("metric", words.metric())
            .put("timestamp", words.timestamp())
            .put("value", words.value());
    LineParser.tags(words.tags()).forEach(point.putObject("tags")::put);
    return point;
  }

  private void send(String file) {
    if (batch.isEmpty()) {
      return;
    }
    List<Sent> points = List.copyOf(batch);
    long last = points.get(points.size() - 1).line();
    batch.clear();
    characters = 0;
    HttpResponse<String> response;
    JsonNode result;
    try {
      response =
          daemon.exchange(
              "POST",
              PUT,
              json.createArrayNode().addAll(points.stream().map(Sent::point).toList()).toString());
      result = daemon.json(response);
    } catch (CommandException e) {
      throw unstored(String.valueOf(e.getMessage()), e);
    }
    report(file, points, response, result);
    settled = last;
  }

  private static StoreException unstored(String why, @Nullable Throwable cause) {
    return new StoreException(StoreException.Outcome.UNKNOWN, why, cause);
  }

  /**
   * Counts the points that are stored, and reports the others, which a response has in the order of
   * the request.
   *
   * @throws StoreException if the response does not account for each point
   */
  private void report(
      String file, List<Sent> points, HttpResponse<String> response, JsonNode result) {
    JsonNode errors = result.path("errors");
    long success = result.path("success").asLong(-1);
    if (success < 0 || !errors.isArray() || success + errors.size() != points.size()) {
      throw unstored(
          response.statusCode() >= 300
              ? daemon.refusal(response)
              : daemon.url() + " does not say what became of each point",
          null);
    }
    stored.addAndGet(success);
    int at = 0;
    for (JsonNode error : errors) {
      JsonNode named = error.path("datapoint");
      while (at < points.size() && !isSame(points.get(at).point(), named)) {
        at++;
      }
      if (at == points.size()) {
        throw unstored(daemon.url() + " refuses a point that was not sent: " + named, null);
      }
      Sent sent = points.get(at++);
      String why = error.path("error").asText();
      // Daemons in strict mode and OpenTSDB answer 400 then, too.
      if (response.statusCode() >= STORE_FAILED || why.startsWith("Storage exception")) {
        listener.failed(file + ":" + sent.line(), SingleLine.of(why));
        throw unstored(file + ":" + sent.line() + ": " + daemon.url() + ": " + why, null);
      }
      reject(file, sent.line(), sent.original(), why);
    }
  }

  private static boolean isSame(JsonNode sent, JsonNode named) {
    return sent.path("metric").asText().equals(named.path("metric").asText())
        && sent.path("timestamp").asText().equals(named.path("timestamp").asText())
        && sent.path("value").asText().equals(named.path("value").asText())
        && sent.path("tags").equals(named.path("tags"));
  }

  private void reject(String file, long line, String original, String why) {
    rejected++;
    String reason = SingleLine.of(why);
    listener.rejected(file + ":" + line, reason, original);
    if (!options.skipErrors()) {
      throw new RejectedLine(line, file + ":" + line + ": " + reason);
    }
  }

  /** Ends an import. */
  private static final class RejectedLine extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final long line;

    RejectedLine(long line, String message) {
      super(message);
      this.line = line;
    }
  }

  @Override
  public ImportReport report() {
    return new ImportReport(lines, stored.get(), rejected, 0, 0);
  }

  @Override
  public long stored() {
    return stored.get();
  }
}
