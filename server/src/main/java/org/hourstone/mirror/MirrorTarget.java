package org.hourstone.mirror;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.jspecify.annotations.Nullable;

/**
 * The server to which points are sent, and how.
 *
 * @param puts the address of its {@code /api/put}
 * @param authorization the header for its account; null without one
 * @param maxBody about how many bytes a request may have
 */
record MirrorTarget(URI puts, @Nullable String authorization, int maxBody) {
  /**
   * What the settings say.
   *
   * @throws IllegalArgumentException if they are invalid, or contradict each other
   */
  static MirrorTarget of(TsdbOptions settings) {
    String url = settings.get(DaemonSettings.MIRROR);
    if (settings.get(DaemonSettings.MIRROR_DIRECTORY).isBlank()) {
      throw new IllegalArgumentException(
          DaemonSettings.MIRROR.key()
              + " needs a directory for its queue: "
              + DaemonSettings.MIRROR_DIRECTORY.key());
    }
    if (settings.get(DaemonSettings.MODE).equals("ro")) {
      throw new IllegalArgumentException(
          DaemonSettings.MIRROR.key()
              + " has nothing to send with "
              + DaemonSettings.MODE.key()
              + "=ro: remove one of them");
    }
    return new MirrorTarget(
        puts(url),
        authorization(settings.get(DaemonSettings.MIRROR_CREDENTIALS)),
        settings.get(DaemonSettings.MIRROR_BODY));
  }

  private static URI puts(String url) {
    if (url.contains("@")) { // which the log and /api/config would show
      throw new IllegalArgumentException(
          DaemonSettings.MIRROR.key()
              + ": an account belongs in the file "
              + DaemonSettings.MIRROR_CREDENTIALS.key()
              + ", not in the URL");
    }
    URI uri;
    try {
      uri = URI.create(url.strip());
    } catch (IllegalArgumentException e) {
      throw invalid(url, "not a URL");
    }
    if (!("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
        || uri.getHost() == null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw invalid(url, "must be of the form http://HOST:PORT");
    }
    return URI.create(uri.toString().replaceFirst("/$", "") + "/api/put?details&mirrored");
  }

  private static IllegalArgumentException invalid(String url, String why) {
    return new IllegalArgumentException(DaemonSettings.MIRROR.key() + "=" + url + ": " + why);
  }

  private static @Nullable String authorization(String file) {
    if (file.isBlank()) {
      return null;
    }
    String text;
    try {
      text = Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          DaemonSettings.MIRROR_CREDENTIALS.key() + "=" + file + ": can't be read: " + e, e);
    }
    if (text.isEmpty() || text.contains("\n")) {
      throw new IllegalArgumentException(
          DaemonSettings.MIRROR_CREDENTIALS.key()
              + "="
              + file
              + ": must have one line, USER:PASSWORD or a token");
    }
    if (!text.contains(":") && !text.chars().allMatch(each -> each > 0x20 && each < 0x7F)) {
      throw new IllegalArgumentException(
          DaemonSettings.MIRROR_CREDENTIALS.key()
              + "="
              + file
              + ": the token has a character that none can have");
    }
    return text.contains(":")
        ? "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
        : "Bearer " + text;
  }

  /** The server, for the log. */
  String name() {
    return puts.getScheme() + "://" + puts.getRawAuthority();
  }
}
