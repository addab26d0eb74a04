package org.hourstone.tsd.compare;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.hourstone.mirror.BoundedBody;
import org.hourstone.tsd.session.NotComparedException;
import org.hourstone.tsd.session.ServerUrl;

/** One of the two servers, and the times that its answers took. For one thread. */
final class ComparedServer {
  private static final long MOST_BYTES = 64 << 20;
  private static final Duration MOST_TO_CONNECT = Duration.ofSeconds(10);

  private final ServerUrl url;
  private final Duration patience;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(MOST_TO_CONNECT)
          .build();

  private final List<Long> nanos = new ArrayList<>();

  /**
   * @param patience how long it waits for each answer
   */
  public ComparedServer(ServerUrl url, Duration patience) {
    this.url = url;
    this.patience = patience;
  }

  /**
   * Sends a request.
   *
   * @return the answer, also if it is an error or not whole
   * @throws NotComparedException if the server can't be reached, or wants an account
   */
  Answer ask(SafeRequest request) {
    long begin = System.nanoTime();
    CompletableFuture<HttpResponse<byte[]>> response =
        http.sendAsync(http(request), BoundedBody.upTo(MOST_BYTES));
    try {
      HttpResponse<byte[]> whole = response.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      Answer answer = Answer.of(whole.statusCode(), whole.body(), System.nanoTime() - begin);
      if (answer.status() == 401 || answer.status() == 403) {
        throw new NotComparedException(
            url.base()
                + ": "
                + answer.problem()
                + "; its URL may be http://USER:PASSWORD@HOST:PORT");
      }
      return answer;
    } catch (TimeoutException e) {
      response.cancel(true);
      return Answer.none(
          "no answer within " + patience.toSeconds() + " s", System.nanoTime() - begin);
    } catch (ExecutionException e) {
      return failed(e.getCause() == null ? e : e.getCause(), System.nanoTime() - begin);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotComparedException("interrupted", e);
    }
  }

  private Answer failed(Throwable cause, long took) {
    String reason =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    if (cause instanceof ConnectException || cause instanceof HttpTimeoutException) {
      throw new NotComparedException(url.base() + " does not respond: " + reason, cause);
    }
    return Answer.none("no answer: " + reason, took);
  }

  private HttpRequest http(SafeRequest request) {
    HttpRequest.Builder http = HttpRequest.newBuilder(URI.create(url.base() + request.target()));
    String authorization = url.authorization();
    if (authorization != null) {
      http.header("Authorization", authorization);
    }
    return request.body().isEmpty()
        ? http.GET().build()
        : http.header("Content-Type", "application/json")
            .method(request.method(), BodyPublishers.ofString(request.body()))
            .build();
  }

  /** As {@link #ask}, and counts the time. */
  Answer askTimed(SafeRequest request) {
    Answer answer = ask(request);
    nanos.add(answer.nanos());
    return answer;
  }

  /**
   * The time that a share of the answers took at most, in nanoseconds.
   *
   * @param percent such as 50 for the median
   */
  public long percentileNanos(int percent) {
    List<Long> sorted = nanos.stream().sorted().toList();
    int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
    return sorted.isEmpty() ? 0 : sorted.get(Math.max(0, rank - 1));
  }

  /** Its URL, without an account. */
  @Override
  public String toString() {
    return url.base();
  }
}
