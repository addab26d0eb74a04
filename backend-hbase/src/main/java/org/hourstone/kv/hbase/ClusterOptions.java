package org.hourstone.kv.hbase;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.hourstone.kv.StoreUri;
import org.jspecify.annotations.Nullable;

/**
 * The address of the cluster and the client's settings. The URI takes precedence over {@code
 * hbase-site.xml} and {@code core-site.xml}, and these files over Hourstone's defaults.
 *
 * @param uri the scheme and location, already checked
 * @param directory the directory of the two files, in addition to files on the class path; may be
 *     null
 * @param timeout the time after which an operation is given up, for all its attempts together; null
 *     for the value in the files
 * @param rpcTimeout the time after which one attempt is given up; null for the value in the files
 * @param principal the principal for the login with the keytab; both or none must be set
 */
record ClusterOptions(
    StoreUri uri,
    @Nullable Path directory,
    @Nullable Duration timeout,
    @Nullable Duration rpcTimeout,
    @Nullable String principal,
    @Nullable Path keytab) {
  static final String ZOOKEEPER = "hbase";
  static final String ZOOKEEPER_IN_FULL = "hbase+zk";
  static final String RPC = "hbase+rpc";

  static final String CONF = "conf";
  static final String TIMEOUT = "timeout";
  static final String RPC_TIMEOUT = "rpc.timeout";
  static final String PRINCIPAL = "principal";
  static final String KEYTAB = "keytab";

  private static final String OPERATION_TIMEOUT_KEY = "hbase.client.operation.timeout";

  private static final String PAUSE_KEY = "hbase.client.pause";

  private static final String RPC_TIMEOUT_KEY = "hbase.rpc.timeout";

  /** Host names, IPv4 addresses and bracketed IPv6 addresses, each with an optional port. */
  private static final String HOSTS =
      "(?<hosts>%1$s(?:,%1$s)*)"
          .formatted("(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?");

  private static final Pattern QUORUM = Pattern.compile("//" + HOSTS + "(?<node>(?:/[^/]+)*)/?");
  private static final Pattern SERVERS = Pattern.compile("//" + HOSTS + "(?<node>)/?");

  /**
   * @throws IllegalArgumentException if the URI is malformed
   */
  static ClusterOptions of(StoreUri uri) {
    location(uri);
    String directory = uri.parameter(CONF);
    String keytab = uri.parameter(KEYTAB);
    String principal = uri.parameter(PRINCIPAL);
    if ((keytab == null) != (principal == null)) {
      throw new IllegalArgumentException(
          "store parameters " + PRINCIPAL + " and " + KEYTAB + " must be set together");
    }
    return new ClusterOptions(
        uri,
        directory == null ? null : Path.of(directory),
        duration(uri, TIMEOUT),
        duration(uri, RPC_TIMEOUT),
        principal,
        keytab == null ? null : Path.of(keytab));
  }

  private static @Nullable Duration duration(StoreUri uri, String key) {
    Duration duration = UriDurations.of(uri, key, Duration.ZERO);
    if (uri.parameter(key) != null && duration.isZero()) {
      throw new IllegalArgumentException("store parameter " + key + " must not be zero");
    }
    return duration.isZero() ? null : duration;
  }

  private static Matcher location(StoreUri uri) {
    boolean rpc = uri.scheme().equals(RPC);
    Matcher location = (rpc ? SERVERS : QUORUM).matcher(uri.location());
    if (!location.matches()) {
      throw new IllegalArgumentException(
          "bad store URI '"
              + uri
              + "': must be "
              + (rpc
                  ? "hbase+rpc://host1:16000,host2:16000"
                  : uri.scheme() + "://zk1,zk2:2181/hbase"));
    }
    return location;
  }

  /** The client's configuration. */
  Configuration configuration() {
    Configuration conf = HBaseConfiguration.create();
    if (directory != null) {
      addFiles(conf, directory);
    }
    Matcher location = location(uri);
    if (uri.scheme().equals(RPC)) {
      conf.set(
          "hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
      conf.set("hbase.client.bootstrap.servers", location.group("hosts"));
    } else {
      conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.ZKConnectionRegistry");
      conf.set("hbase.zookeeper.quorum", location.group("hosts"));
      if (!location.group("node").isEmpty()) {
        conf.set("zookeeper.znode.parent", location.group("node"));
      }
    }
    set(conf, OPERATION_TIMEOUT_KEY, timeout, Duration.ofSeconds(60));
    set(conf, "hbase.client.meta.operation.timeout", timeout, Duration.ofSeconds(60));
    set(conf, "hbase.client.scanner.timeout.period", timeout, Duration.ofSeconds(60));
    set(conf, RPC_TIMEOUT_KEY, rpcTimeout, Duration.ofSeconds(10));
    // Otherwise a missing response of ZooKeeper ends an operation before the operation's timeout.
    setIfUnset(
        conf,
        "zookeeper.registry.async.get.timeout",
        Long.toString(Math.min(Integer.MAX_VALUE, timeout(conf).toMillis())));
    // An operation is ended by the timeout, not by the number of attempts.
    setIfUnset(conf, "hbase.client.retries.number", "1000");
    // Pauses grow to 200 times this: 2 s, so that calls go on soon after the servers' return.
    // Servers that are overloaded are left alone for longer, as by default.
    setIfUnset(conf, "hbase.client.pause.server.overloaded", "100");
    setIfUnset(conf, PAUSE_KEY, "10");
    setIfUnset(conf, "zookeeper.recovery.retry", "3");
    secure(conf);
    return conf;
  }

  /** Whether the servers require Kerberos tickets. */
  static boolean isSecure(Configuration conf) {
    return conf.get("hbase.security.authentication", "").equalsIgnoreCase("kerberos");
  }

  private void secure(Configuration conf) {
    if (isSecure(conf)) {
      conf.set("hadoop.security.authentication", "kerberos"); // one is useless without the other
      for (String server : List.of("hbase.master", "hbase.regionserver")) {
        String key = server + ".kerberos.principal";
        if (conf.get(key) == null) {
          throw new IllegalArgumentException(
              "hbase-site.xml says hbase.security.authentication=kerberos, but not " + key);
        }
      }
    }
    if (principal != null && keytab != null) {
      if (!isSecure(conf)) {
        throw new IllegalArgumentException(
            "store parameter "
                + PRINCIPAL
                + ": no hbase-site.xml says hbase.security.authentication=kerberos; "
                + CONF
                + " names its directory");
      }
      if (!Files.isReadable(keytab)) {
        throw new IllegalArgumentException(
            "store parameter " + KEYTAB + "=" + keytab + ": no such file to read");
      }
      conf.set("hbase.client.keytab.principal", principal);
      conf.set("hbase.client.keytab.file", keytab.toString());
    }
  }

  /** The time after which an operation is given up. */
  static Duration timeout(Configuration conf) {
    return Duration.ofMillis(conf.getLong(OPERATION_TIMEOUT_KEY, 60_000));
  }

  /** The time after which one attempt is given up. */
  static Duration rpcTimeout(Configuration conf) {
    return Duration.ofMillis(Math.max(1, conf.getLong(RPC_TIMEOUT_KEY, 10_000)));
  }

  private static void addFiles(Configuration conf, Path directory) {
    List<Path> files =
        List.of(directory.resolve("core-site.xml"), directory.resolve("hbase-site.xml"));
    if (files.stream().noneMatch(Files::isReadable)) {
      throw new IllegalArgumentException(
          "store parameter "
              + CONF
              + "="
              + directory
              + ": no hbase-site.xml nor core-site.xml to read there");
    }
    for (Path file : files) {
      if (Files.isReadable(file)) {
        conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
  }

  private static void set(
      Configuration conf, String key, @Nullable Duration given, Duration byDefault) {
    if (given != null) {
      conf.setLong(key, given.toMillis());
    } else {
      setIfUnset(conf, key, Long.toString(byDefault.toMillis()));
    }
  }

  /** Sets a value that no configuration file specifies. */
  private static void setIfUnset(Configuration conf, String key, String value) {
    String[] sources = conf.getPropertySources(key);
    if (sources == null
        || sources.length == 0
        || sources[sources.length - 1].endsWith("-default.xml")) {
      conf.set(key, value);
    }
  }
}
