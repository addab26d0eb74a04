package org.hourstone.kv.hbase;

import java.util.Set;
import java.util.regex.Pattern;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStoreProvider;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.StoreUri;

/**
 * Answers to HBase's URIs:
 *
 * <ul>
 *   <li>{@code hbase://zk1,zk2:2181/hbase} and, the same, {@code hbase+zk://…}: the ZooKeeper
 *       quorum and the parent node, which may be left out;
 *   <li>{@code hbase+rpc://host:16000,host2:16000}: masters or region servers asked directly.
 * </ul>
 *
 * <p>This version has no HBase store: a well-formed URI is REJECTED, so that nobody mistakes the
 * missing store for a misspelt address.
 */
public final class HBaseStoreProvider implements KeyValueStoreProvider {
  private static final String ZOOKEEPER = "hbase";
  private static final String ZOOKEEPER_IN_FULL = "hbase+zk";
  private static final String RPC = "hbase+rpc";

  /** Host names, IPv4 addresses and bracketed IPv6 addresses, each with an optional port. */
  private static final String HOSTS =
      "%1$s(,%1$s)*".formatted("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?");

  private static final Pattern QUORUM = Pattern.compile("//" + HOSTS + "(/[^/]+)*/?");
  private static final Pattern SERVERS = Pattern.compile("//" + HOSTS + "/?");

  @Override
  public Set<String> schemes() {
    return Set.of(ZOOKEEPER, ZOOKEEPER_IN_FULL, RPC);
  }

  @Override
  public KeyValueStore open(StoreUri uri, StoreOptions options) {
    boolean rpc = uri.scheme().equals(RPC);
    if (!(rpc ? SERVERS : QUORUM).matcher(uri.location()).matches()) {
      throw new IllegalArgumentException(
          "bad store URI '"
              + uri
              + "': must be "
              + (rpc
                  ? "hbase+rpc://host1:16000,host2:16000"
                  : uri.scheme() + "://zk1,zk2:2181/hbase"));
    }
    uri.allowOnly(Set.of());
    throw new StoreException(
        StoreException.Outcome.REJECTED,
        "cannot open '"
            + uri
            + "': this version of Hourstone has no HBase store yet; use an embedded one, such as"
            + " rocksdb:./data");
  }
}
