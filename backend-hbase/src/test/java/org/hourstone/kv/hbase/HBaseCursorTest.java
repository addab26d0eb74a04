package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.hourstone.kv.Family;
import org.hourstone.kv.Scan;
import org.junit.jupiter.api.Test;

class HBaseCursorTest {
  private static HBaseCursor over(InvocationHandler results) {
    Class<?>[] types = {ResultScanner.class};
    return new HBaseCursor(
        new InFlightCalls("store", Duration.ofMinutes(1)),
        new HBaseErrors("hbase://nowhere"),
        new Family("tsdb", "t"),
        Scan.all(),
        (ResultScanner)
            Proxy.newProxyInstance(ResultScanner.class.getClassLoader(), types, results),
        new ScanTotals(),
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
}
