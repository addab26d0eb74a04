package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.concurrent.TimeUnit;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HBaseStoreProviderTest {
  /** No server listens on this port. */
  private static final String UNUSED = "127.0.0.1:1";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hbase:",
        "hbase:zk1",
        "hbase:///hbase",
        "hbase://zk1,,zk2/hbase",
        "hbase://zk1:port/hbase",
        "hbase+zk://zk1//hbase",
        "hbase+rpc://host:16000/hbase"
      })
  void aMalformedLocationIsRefusedWithAnExample(String uri) {
    assertThatThrownBy(() -> KeyValueStores.open(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bad store URI '" + uri + "'")
        .hasMessageContaining("://");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hbase", "hbase+zk", "hbase+rpc"})
  void anUnknownParameterIsRefusedByName(String scheme) {
    assertThatThrownBy(() -> KeyValueStores.open(scheme + "://host?quorum=zk1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown parameter 'quorum' for a " + scheme + " store; known: conf");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timeout=10|must be a duration such as 30s",
        "timeout=0s|timeout must not be zero",
        "rpc.timeout=fast|must be a duration",
        "write.buffer=10k|must be at least 1m",
        "sync=yes|must be true or false",
        "keytab=/a|principal and keytab must be set together",
        "principal=a|principal and keytab must be set together",
        "conf=/no/such/directory|no hbase-site.xml",
        "create.compression=zip|must be one of",
        "create.ttl=forever|must be a duration",
        "create.split=salt|must be salt:BUCKETS",
        "create.split=salt:300|must be salt:BUCKETS",
        "create.split=uid:0|must be salt:BUCKETS"
      })
  void aParameterThatIsNotAsItMustBeIsRefused(String parameter, String message) {
    assertThatThrownBy(() -> KeyValueStores.open("hbase://" + UNUSED + "?" + parameter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hbase://", "hbase+rpc://"})
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void aClusterThatIsNotThereIsNamedInOneLine(String scheme) {
    StoreException failure =
        catchThrowableOfType(
            StoreException.class, () -> KeyValueStores.open(scheme + UNUSED + "?timeout=2s"));

    assertThat(failure.outcome()).isEqualTo(StoreException.Outcome.NOT_APPLIED);
    assertThat(failure)
        .hasMessageContaining(scheme + UNUSED)
        .hasMessageContaining("cannot connect")
        .hasMessageNotContaining("\n");
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void anInterruptEndsTheOpening() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> KeyValueStores.open("hbase://" + UNUSED))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
