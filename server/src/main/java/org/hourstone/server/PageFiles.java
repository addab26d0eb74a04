package org.hourstone.server;

import static java.util.Map.entry;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of the web page. They are a fixed set in the jar: a path names one of them or nothing,
 * but never a file of the machine.
 */
final class PageFiles {
  /** The path of static files, as in OpenTSDB. */
  private static final String DIRECTORY = "/s/";

  private static final List<String> NAMES =
      List.of(
          "app.js",
          "autointerval.js",
          "choice.js",
          "clipboard.js",
          "completion.js",
          "curl.js",
          "digits.js",
          "dom.js",
          "download.js",
          "expression.js",
          "filterrow.js",
          "format.js",
          "formula.js",
          "graphview.js",
          "history.js",
          "icons.js",
          "legend.js",
          "letters.js",
          "link.js",
          "message.js",
          "metricsview.js",
          "names.js",
          "place.js",
          "plot.js",
          "plotoptions.js",
          "plotrequests.js",
          "polling.js",
          "queryform.js",
          "rangebar.js",
          "request.js",
          "results.js",
          "runningview.js",
          "statusview.js",
          "style.css",
          "textform.js",
          "times.js",
          "uPlot.iife.min.js",
          "uPlot.min.css",
          "uPlot-LICENSE.txt");

  /**
   * Nothing is loaded from other sites, no inline script or style in the HTML is executed, and no
   * other site can frame the page or learn its address.
   */
  private static final Map<String, String> HEADERS =
      Map.ofEntries(
          entry(
              "content-security-policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                  + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                  + " frame-ancestors 'none'"),
          entry("referrer-policy", "no-referrer"),
          entry("x-frame-options", "DENY"),
          entry("cache-control", "no-cache")); // revalidate each time

  private PageFiles() {}

  /** All files, by the path of a request. */
  static Map<String, Page> byPath() {
    Map<String, Page> pages = new TreeMap<>();
    pages.put("/", file("index.html"));
    pages.put("/favicon.ico", file("favicon.svg"));
    NAMES.forEach(name -> pages.put(DIRECTORY + name, file(name)));
    return pages;
  }

  private static Page file(String name) {
    try (InputStream in = PageFiles.class.getResourceAsStream("page/" + name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing");
      }
      byte[] content = in.readAllBytes();
      Map<String, String> headers = new TreeMap<>(HEADERS);
      headers.put("etag", tag(content));
      return new Page(200, type(name), content, headers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=UTF-8";
      case "css" -> "text/css; charset=UTF-8";
      case "js" -> "text/javascript; charset=UTF-8";
      case "svg" -> "image/svg+xml";
      default -> "text/plain; charset=UTF-8";
    };
  }

  /** Weak, since the content may be sent compressed. */
  private static String tag(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return "W/\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }
}
