package org.hourstone;

import static org.hourstone.Setting.Section.DAEMON;
import static org.hourstone.ValueType.amount;
import static org.hourstone.ValueType.flag;
import static org.hourstone.ValueType.number;
import static org.hourstone.ValueType.oneOf;
import static org.hourstone.ValueType.port;
import static org.hourstone.ValueType.seconds;
import static org.hourstone.ValueType.text;

import java.time.Duration;
import java.util.Optional;

/** The settings of the daemon, a part of {@link Settings}. */
public final class DaemonSettings {
  static final SettingList ALL = new SettingList();

  public static final Setting<Integer> PORT =
      ALL.setting(DAEMON, "tsd.network.port", port())
          .byDefault("4242")
          .means("port of HTTP and of the telnet-style protocol; 0 for any free one");
  public static final Setting<String> BIND =
      ALL.setting(DAEMON, "tsd.network.bind", text("an address"))
          .byDefault("127.0.0.1")
          .inStrictMode("0.0.0.0")
          .means("address to listen on; `0.0.0.0` for all of the machine's");
  public static final Setting<String> MODE =
      ALL.setting(DAEMON, "tsd.mode", oneOf("rw", "ro", "wo"))
          .byDefault("rw")
          .means(
              "whether the daemon reads and writes, only reads or only writes"
                  + " ([mode](daemon.md#mode))");
  public static final Setting<String> HOSTS =
      ALL.setting(
              DAEMON, "hourstone.http.hosts", text("names of hosts, separated by commas, or `*`"))
          .byDefault("")
          .inStrictMode("*")
          .means(
              "names under which clients reach the daemon, without ports, such as"
                  + " `tsdb.example.com`; requests for others are refused, except for IP addresses,"
                  + " `localhost` and the name in `tsd.network.bind`; `*` for any"
                  + " ([host names](daemon.md#host-names))");
  public static final Setting<String> CORS_DOMAINS =
      ALL.setting(
              DAEMON, "tsd.http.request.cors_domains", text("origins, separated by commas, or `*`"))
          .byDefault("")
          .means(
              "web sites whose pages may use the API from a browser, such as"
                  + " `https://grafana.example.com`; `*` for any; if empty, none"
                  + " ([web sites](daemon.md#web-sites))");
  public static final Setting<String> CORS_HEADERS =
      ALL.setting(DAEMON, "tsd.http.request.cors_headers", text("headers, separated by commas"))
          .byDefault(
              "Authorization, Content-Type, Accept, Origin, User-Agent, DNT, Cache-Control,"
                  + " X-Mx-ReqToken, Keep-Alive, X-Requested-With, If-Modified-Since")
          .means("headers that those pages may send");
  public static final Setting<Boolean> NO_DIEDIEDIE =
      ALL.setting(DAEMON, "tsd.no_diediedie", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means("whether clients may not stop the daemon by `diediedie`");
  public static final Setting<Boolean> AUTHENTICATION =
      ALL.setting(DAEMON, "tsd.core.authentication.enable", flag())
          .byDefault("false")
          .means("whether clients must authenticate ([accounts](daemon.md#accounts))");
  public static final Setting<String> ACCOUNTS =
      ALL.setting(DAEMON, "hourstone.auth.file", text("the path of a file"))
          .byDefault("")
          .means("file with the accounts: users and tokens");
  public static final Setting<Boolean> ALLOW_TELNET =
      ALL.setting(DAEMON, "hourstone.auth.allow_telnet", flag())
          .byDefault("false")
          .means(
              "whether the telnet-style protocol, which has no accounts, is open although"
                  + " authentication is required");
  public static final Setting<String> TLS_CERTIFICATE =
      ALL.setting(DAEMON, "hourstone.tls.certificate", text("the path of a PEM file"))
          .byDefault("")
          .means("certificate and its chain; if set, both protocols require TLS");
  public static final Setting<String> TLS_KEY =
      ALL.setting(DAEMON, "hourstone.tls.key", text("the path of a PEM file"))
          .byDefault("")
          .means("private key of the certificate: PKCS 8, not encrypted");
  public static final Setting<String> BACKUP_DIRECTORY =
      ALL.setting(DAEMON, "hourstone.backup.directory", text("the path of a directory"))
          .byDefault("")
          .means(
              "directory to which, or below which, clients with the role `admin` may have the"
                  + " daemon back up its RocksDB store ([backups](backup.md#of-a-running-daemon));"
                  + " if empty, they may not");
  public static final Setting<Duration> SELF_MONITOR =
      ALL.setting(DAEMON, "hourstone.self_monitor_seconds", seconds(0))
          .byDefault("0")
          .means(
              "how often the daemon writes its own statistics into its database"
                  + " ([metrics](daemon.md#metrics)); 0 for never");
  public static final Setting<String> LOG_FORMAT =
      ALL.setting(DAEMON, "hourstone.log.format", oneOf("text", "json"))
          .byDefault("text")
          .means(
              "whether a message in the daemon's log is a line of text or a JSON object"
                  + " ([log](daemon.md#log))");
  public static final Setting<Boolean> WARM_UP =
      ALL.setting(DAEMON, "hourstone.warm_up", flag())
          .byDefault("true")
          .means(
              "whether the daemon puts and queries points in memory once it serves, so that the"
                  + " first requests of clients take less time");
  public static final Setting<Integer> MAX_CONNECTIONS =
      ALL.setting(DAEMON, "tsd.core.connections.limit", number("connections", 0))
          .byDefault("20000")
          .inStrictMode("0")
          .means(
              "maximum number of open connections; more are refused. 0 for no limit. It is lower if"
                  + " the process may open fewer files, or the heap is small"
                  + " ([bounds](daemon.md#bounds))");
  public static final Setting<Optional<Integer>> MAX_BODY =
      ALL.setting(DAEMON, "hourstone.http.max_body_bytes", number("bytes", 1))
          .orAuto("64 MB, or a quarter of the heap if that is less")
          .means(
              "maximum size of the body of an HTTP request, decompressed; a larger one gets status"
                  + " 413");
  public static final Setting<Integer> HTTP_THREADS =
      ALL.setting(DAEMON, "hourstone.http.threads", number("threads", 1))
          .byDefault("256")
          .means(
              "number of HTTP requests that are handled at once: of those that read points, series"
                  + " or names, and of all others; a quarter of it of those for stored texts, and"
                  + " of large puts. Four times as many of each wait for a thread; others get"
                  + " status 503");

  public static final Setting<String> OTLP_TAGS =
      ALL.setting(DAEMON, "hourstone.otlp.tags", text("names of attributes, separated by commas"))
          .byDefault("service.namespace,service.name,service.instance.id|host.name")
          .means(
              "attributes of OpenTelemetry's resources that are tags of all their series; of names"
                  + " separated by `|` the first that a resource has; `*` for all;"
                  + " `otel.scope.name` and `otel.scope.version` for those of scopes"
                  + " ([OpenTelemetry](doors.md#opentelemetry))");

  public static final Setting<String> MIRROR =
      ALL.setting(DAEMON, "hourstone.mirror", text("a URL, `http://HOST:PORT` or with `https`"))
          .byDefault("")
          .means(
              "server to which all points are sent, too, by its `/api/put`, such as an OpenTSDB"
                  + " ([mirror](daemon.md#mirror)); if empty, no server");
  public static final Setting<String> MIRROR_DIRECTORY =
      ALL.setting(DAEMON, "hourstone.mirror.directory", text("the path of a directory"))
          .byDefault("")
          .means(
              "directory of the queue of points that were not sent yet, for this alone; it is"
                  + " created if need be. Required with `hourstone.mirror`");
  public static final Setting<Long> MIRROR_BYTES =
      ALL.setting(DAEMON, "hourstone.mirror.bytes", amount("bytes", 1 << 20))
          .byDefault("1073741824")
          .means(
              "maximum size of that queue; points that have no place in it are stored, but not"
                  + " mirrored");
  public static final Setting<Boolean> MIRROR_SYNC =
      ALL.setting(DAEMON, "hourstone.mirror.sync", flag())
          .byDefault("false")
          .means(
              "whether points are acknowledged only when the queue is on the disk: for a store with"
                  + " `sync=true`");
  public static final Setting<Integer> MIRROR_BODY =
      ALL.setting(DAEMON, "hourstone.mirror.body_bytes", number("bytes", 1024))
          .byDefault("8000")
          .means(
              "about how large the body of a request to that server may be, or 256 KB if it is a"
                  + " Hourstone. OpenTSDB takes larger ones than 8,192 bytes only with"
                  + " `tsd.http.request.enable_chunked`");
  public static final Setting<String> MIRROR_CREDENTIALS =
      ALL.setting(DAEMON, "hourstone.mirror.credentials", text("the path of a file"))
          .byDefault("")
          .means("file with `USER:PASSWORD` or a token for that server, in one line");

  private DaemonSettings() {}
}
