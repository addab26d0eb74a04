package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HBaseStoreProviderTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "hbase://zk1,zk2:2181/hbase",
        "hbase://localhost",
        "hbase+zk://10.0.0.1:2181,[2001:db8::1]:2181/a/b",
        "hbase+rpc://master-1.example.org:16000,master-2.example.org:16000"
      })
  void aWellFormedUriIsRejectedInOneLineThatNamesItAndAnotherStore(String uri) {
    StoreException refusal =
        catchThrowableOfType(StoreException.class, () -> KeyValueStores.open(uri));

    assertThat(refusal.outcome()).isEqualTo(StoreException.Outcome.REJECTED);
    assertThat(refusal)
        .hasMessageContaining("'" + uri + "'")
        .hasMessageContaining("no HBase store yet")
        .hasMessageContaining("rocksdb:")
        .hasMessageNotContaining("\n");
  }

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
        .hasMessageContaining("unknown parameter 'quorum' for a " + scheme + " store; known: none");
  }
}
