package org.hourstone.mirror;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the other server, one at a time, and waits for each: an {@code HttpClient},
 * which passes them through several threads, takes several times as much of the processor.
 * Thread-safe: any thread may close it.
 */
final class MirrorClient implements AutoCloseable {
  private static final int MAX_RESPONSE = 4 << 20;

  private final MirrorTarget target;
  private final Duration patience;
  private volatile @Nullable HttpURLConnection request;
  private volatile boolean closed;

  /**
   * @param patience how long the server may send nothing
   */
  MirrorClient(MirrorTarget target, Duration patience) {
    this.target = target;
    this.patience = patience;
  }

  /** Sends some points of a batch, and waits for what becomes of them. */
  PutResult send(PutBatch batch, int from, int to) {
    try {
      HttpURLConnection put = (HttpURLConnection) target.puts().toURL().openConnection();
      request = put;
      return closed ? new PutResult.Failed("it was stopped") : send(put, batch, from, to);
    } catch (SocketTimeoutException e) {
      return new PutResult.Failed(
          "no response within " + patience.toSeconds() + " s: " + e.getMessage());
    } catch (HttpRetryException e) { // it would ask for an account
      return new PutResult.Failed("status " + e.responseCode());
    } catch (IOException e) {
      String message = e.getMessage();
      return new PutResult.Failed(
          e.getClass().getSimpleName() + (message == null ? "" : ": " + message));
    }
  }

  private PutResult send(HttpURLConnection put, PutBatch batch, int from, int to)
      throws IOException {
    put.setConnectTimeout((int) patience.toMillis());
    put.setReadTimeout((int) patience.toMillis());
    put.setInstanceFollowRedirects(false);
    put.setUseCaches(false);
    put.setDoOutput(true);
    put.setRequestProperty("Content-Type", "application/json");
    if (target.authorization() != null) {
      put.setRequestProperty("Authorization", target.authorization());
    }
    put.setFixedLengthStreamingMode(batch.length(from, to)); // which is never sent again by itself
    try (OutputStream out = put.getOutputStream()) {
      batch.writeTo(out, from, to);
    }
    int status = put.getResponseCode();
    try (InputStream body = status >= 400 ? put.getErrorStream() : put.getInputStream()) {
      byte[] response = body == null ? new byte[0] : body.readNBytes(MAX_RESPONSE + 1);
      if (response.length > MAX_RESPONSE) {
        put.disconnect();
        return new PutResult.Failed("the response has more than " + MAX_RESPONSE + " bytes");
      }
      return PutResult.of(status, response, to - from);
    }
  }

  /** Cancels the request in progress, and those that are sent later. */
  @Override
  public void close() {
    closed = true;
    HttpURLConnection current = request;
    if (current != null) {
      current.disconnect();
    }
  }
}
