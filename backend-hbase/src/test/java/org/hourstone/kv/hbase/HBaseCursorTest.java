package org.hourstone.kv.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;

class HBaseCursorTest {
  private static HBaseCursor over(InvocationHandler results) {
    return over((after, limit) -> scanner(results));
  }

  private static ResultScanner scanner(InvocationHandler results) {
    Class<?>[] types = {ResultScanner.class};
    return (ResultScanner)
        Proxy.newProxyInstance(ResultScanner.class.getClassLoader(), types, results);
  }

  /** A scanner that returns these rows, and then loses its lease. */
  private static ResultScanner losingItsLease(List<String> rows) {
    return failing(rows, new LeaseException("lease '1' does not exist"));
  }

  private static ResultScanner failing(List<String> rows, IOException failure) {
    Iterator<String> left = rows.iterator();
    return scanner(
        (results, method, arguments) -> {
          if (!method.getName().equals("next")) {
            return null;
          }
          if (!left.hasNext()) {
            throw failure;
          }
          byte[] key = left.next().getBytes(UTF_8);
          return Result.create(List.of(new KeyValue(key, key, key, key)));
        });
  }

  private static HBaseCursor over(HBaseCursor.Source source) {
    return over(Duration.ofMinutes(1), new ScanTotals(), source);
  }

  private static HBaseCursor over(Duration timeout, ScanTotals totals, HBaseCursor.Source source) {
    return new HBaseCursor(
        new InFlightCalls("store", Duration.ofMinutes(1)),
        new HBaseErrors("hbase://nowhere"),
        new Family("tsdb", "t"),
        Scan.all(),
        timeout,
        source,
        totals,
        closed -> {});
  }

  /** HBase's scanner, when it is closed, has no next row for the thread that waits for one. */
  @Test
  void aScanThatIsClosedWhileARowIsWaitedForHasNotEnded() {
    HBaseCursor[] cursor = new HBaseCursor[1];
    cursor[0] =
        over(
            (results, method, arguments) -> {
              if (method.getName().equals("next")) {
                cursor[0].close();
              }
              return null;
            });

    assertThatThrownBy(cursor[0]::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the cursor is closed");
  }

  @Test
  void aScanWithoutFurtherRowsHasEnded() {
    HBaseCursor cursor = over((results, method, arguments) -> null);

    assertThat(cursor.next()).isNull();
    assertThat(cursor.next()).isNull();
  }

  /** As servers that are stopped do, one after another. */
  @Test
  void aScanContinuesAfterItsLastRowWhenItsServerLosesTheLease() {
    Queue<List<String>> rows =
        new ArrayDeque<>(List.of(List.of("a", "b"), List.of(), List.of("c"), List.of("d")));
    List<String> opened = new ArrayList<>();
    HBaseCursor cursor =
        over(
            (after, limit) -> {
              opened.add(after == null ? "" : new String(after, UTF_8));
              List<String> next = rows.poll();
              return next == null
                  ? scanner((results, method, arguments) -> null)
                  : losingItsLease(next);
            });

    List<String> keys = new ArrayList<>();
    for (Row row = cursor.next(); row != null; row = cursor.next()) {
      keys.add(new String(row.key(), UTF_8));
    }

    assertThat(keys).containsExactly("a", "b", "c", "d");
    assertThat(opened).containsExactly("", "b", "b", "c", "d");
  }

  /** The client requests more rows of it until the timeout, and does not look for another. */
  @Test
  void aScanContinuesAfterItsLastRowWhenItsServerHasDied() {
    Queue<ResultScanner> scanners =
        new ArrayDeque<>(
            List.of(
                failing(List.of("a", "b"), new ConnectException("connection refused")),
                failing(List.of(), new CallTimeoutException("no response")),
                failing(List.of("c"), new DoNotRetryIOException("no permission"))));
    List<String> opened = new ArrayList<>();
    ScanTotals totals = new ScanTotals();
    HBaseCursor cursor =
        over(
            Duration.ofMinutes(1),
            totals,
            (after, limit) -> {
              opened.add(after == null ? "" : new String(after, UTF_8));
              return scanners.remove();
            });

    for (String key : List.of("a", "b", "c")) {
      assertThat(requireNonNull(cursor.next()).key()).isEqualTo(key.getBytes(UTF_8));
    }
    assertThat(opened).containsExactly("", "b", "b");
    assertThatThrownBy(cursor::next).hasMessageContaining("no permission");
    assertThat(totals.reopened()).isEqualTo(2);
  }

  @Test
  void aScanThatFindsNoServerFailsAtTheTimeout() {
    HBaseCursor cursor =
        over(
            Duration.ZERO,
            new ScanTotals(),
            (after, limit) -> failing(List.of(), new ConnectException("connection refused")));

    assertThatThrownBy(cursor::next)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED))
        .hasMessageContaining("connection refused");
  }

  @Test
  void aScanWhoseLeasesAreAlwaysLostFails() {
    HBaseCursor cursor = over((after, limit) -> losingItsLease(List.of()));

    assertThatThrownBy(cursor::next)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("lease '1' does not exist");
  }
}
