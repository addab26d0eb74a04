package org.hourstone.tsd.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.tsd.session.NotComparedException;
import org.hourstone.tsd.session.Problem;

/** Reads requests from files. */
final class RequestFiles {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** As {@code GET /api/query?…} or {@code POST /api/query {…}}. */
  private static final Pattern LINE = Pattern.compile("(?:([A-Z]+)\\s+)?(\\S+)(?:\\s+(.*))?");

  /** The end of OpenTSDB's log line of a request. */
  private static final Pattern LOGGED = Pattern.compile("\\bHTTP (\\S+) done in \\d+ ?ms");

  /** OpenTSDB's log of queries writes them as JSON, bodies of POST requests too. */
  private static final Pattern LOGGED_QUERY = Pattern.compile("Completing query=(\\{.*\\})");

  private static final String QUERY = "/api/query";

  private final RequestTimes times;
  private final RequestList list;

  public RequestFiles(RequestTimes times, RequestList list) {
    this.times = times;
    this.list = list;
  }

  /** Each line is a request, or the JSON of one to {@code /api/query}. */
  public void lines(Path file) {
    read(
        file,
        line -> {
          String text = line.strip();
          if (!text.isEmpty() && !text.startsWith("#")) {
            list.add(() -> request(text));
          }
        });
  }

  private SafeRequest request(String line) {
    if (line.startsWith("{")) {
      return SafeRequest.of("POST", "/api/query", line, times);
    }
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new UnusableRequestException("not a request");
    }
    String body = parts.group(3) == null ? "" : parts.group(3);
    String method = parts.group(1) == null ? (body.isEmpty() ? "GET" : "POST") : parts.group(1);
    return SafeRequest.of(method, parts.group(2), body, times);
  }

  /** A log of OpenTSDB, as its logback.xml writes it. Lines of no request are not counted. */
  public void log(Path file) {
    read(
        file,
        line -> {
          Matcher query = LOGGED_QUERY.matcher(line);
          Matcher request = LOGGED.matcher(line);
          if (query.find()) {
            list.add(() -> LoggedQuery.request(json(query.group(1)), times));
          } else if (request.find()) {
            list.add(() -> SafeRequest.get(withoutBody(request.group(1)), times));
          }
        });
  }

  /** A POST request is logged like a GET, without its body. */
  private static String withoutBody(String target) {
    if (!target.contains("?") && target.replaceFirst("^/api/v\\d+/", "/api/").startsWith(QUERY)) {
      throw new UnusableRequestException("the body of a POST is not in the log");
    }
    return target;
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UnusableRequestException("not JSON");
    }
  }

  /** The queries to OpenTSDB of a dashboard that was exported from Grafana. */
  public void dashboard(Path file) {
    try {
      new DashboardQueries(times, list).add(JSON.readTree(file.toFile()));
    } catch (JsonProcessingException e) {
      throw new NotComparedException(file + ": not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new NotComparedException(Problem.of("dashboard", file, e), e);
    }
  }

  private interface Lines {
    void line(String text);
  }

  private static void read(Path file, Lines lines) {
    // Logs may have any bytes; those that are not UTF-8 are replaced.
    try (BufferedReader text =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        lines.line(line);
      }
    } catch (IOException e) {
      throw new NotComparedException(Problem.of("requests", file, e), e);
    }
  }
}
