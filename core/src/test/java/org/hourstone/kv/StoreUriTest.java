package org.hourstone.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUriTest {
  @ParameterizedTest
  @CsvSource({
    "memory:, memory, ''",
    "memory:shared, memory, shared",
    "rocksdb:./data, rocksdb, ./data",
    "rocksdb:/with space/é, rocksdb, /with space/é",
    "'hbase://zk1,zk2:2181/hbase', hbase, '//zk1,zk2:2181/hbase'",
    "hbase+zk://zk_1/hbase, hbase+zk, //zk_1/hbase",
  })
  void everyFormOfLocationIsKeptVerbatim(String text, String scheme, String location) {
    assertThat(StoreUri.parse(text)).isEqualTo(new StoreUri(scheme, location, Map.of()));
  }

  @Test
  void parametersAreDecoded() {
    assertThat(StoreUri.parse("RocksDB:./X")).isEqualTo(StoreUri.parse("rocksdb:./X"));
    StoreUri uri = StoreUri.parse("rocksdb:/d?sync=true&memory=64m&name=a%20b");
    assertThat(uri.flag("sync", false)).isTrue();
    assertThat(uri.flag("absent", true)).isTrue();
    assertThat(uri.bytes("memory", 1)).isEqualTo(64L << 20);
    assertThat(uri.bytes("absent", 7)).isEqualTo(7);
    assertThat(uri.parameter("name")).isEqualTo("a b");
    assertThat(uri.toString()).isEqualTo("rocksdb:/d");
  }

  @Test
  void parametersKeepTheirOrder() {
    StoreUri uri = StoreUri.parse("x:y?zebra=1&yak=2&ape=3&bee=4&cat=5&dog=6");

    assertThat(uri.parameters().keySet())
        .containsExactly("zebra", "yak", "ape", "bee", "cat", "dog");
    assertThatThrownBy(() -> uri.parameters().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "data",
        ":x",
        "1rocksdb:x",
        "1a:x",
        "/tmp/data",
        "r:x?",
        "r:x?a",
        "r:x?=1",
        "r:x?a=1&a=2"
      })
  void whatIsNoStoreUriIsRefused(String text) {
    assertThatThrownBy(() -> StoreUri.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bad store URI '" + text + "'");
  }

  @Test
  void wrongParametersAreNamed() {
    StoreUri uri = StoreUri.parse("rocksdb:/d?snyc=true&memory=lots&wal=maybe");
    assertThatThrownBy(() -> uri.allowOnly(Set.of("sync", "memory", "wal")))
        .hasMessage("unknown parameter 'snyc' for a rocksdb store; known: memory, sync, wal");
    assertThatThrownBy(() -> uri.bytes("memory", 1)).hasMessageContaining("memory=lots");
    assertThatThrownBy(() -> uri.flag("wal", true)).hasMessageContaining("wal=maybe");
  }

  @Test
  void anUnknownSchemeListsWhatExistsAndWhatToAdd() {
    assertThatThrownBy(() -> KeyValueStores.open("cassandra:x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no store for scheme 'cassandra'")
        .hasMessageContaining("found: ");
    assertThatThrownBy(() -> KeyValueStores.open("rocksdb:x"))
        .hasMessageContaining("add the artifact org.hourstone:hourstone-backend-rocksdb");
  }
}
