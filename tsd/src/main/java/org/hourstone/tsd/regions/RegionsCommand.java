package org.hourstone.tsd.regions;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.TableRegions;
import org.hourstone.kv.TableRegions.Region;
import org.hourstone.tsd.regions.KeyCounts.Boundary;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code regions}. */
@Command(
    name = "regions",
    description = {
      "Shows how the tables of an HBase store are divided between its servers: the number of"
          + " regions, servers and salt buckets, what they have, and the largest in relation to the"
          + " mean. Requests are counted since each region was opened.",
      "",
      "--split proposes a place for each region that is large: between two salt buckets, else at"
          + " the first row of a metric, else of an hour. The keys of such a region are read for"
          + " that. Nothing is split without --yes.",
      "",
      "A half can be split again some minutes later, when HBase has compacted it."
    },
    footer = {"  hourstone regions", "  hourstone regions tsdb --split --larger-than 5g"})
public final class RegionsCommand extends SessionCommand {
  private static final double PERCENT = 100;

  @Parameters(index = "0", arity = "0..1", paramLabel = "TABLE", description = "Only this table.")
  @Nullable String table;

  @Option(names = "--split", description = "Proposes splits of large regions.")
  boolean split;

  @Option(
      names = "--larger-than",
      paramLabel = "SIZE",
      defaultValue = "10g",
      description = "The size from which a region is large, such as 500m; 10g by default.")
  String largerThan = "10g";

  @Option(names = "--salt", description = "Only splits between salt buckets.")
  boolean salt;

  @Option(names = "--yes", description = "Makes the splits, and shows the regions again.")
  boolean yes;

  @Option(
      names = "--json",
      description = "Writes a JSON object for each table, with its regions, and for each split.")
  boolean json;

  @Override
  protected boolean run() {
    long large = ByteCount.parse("--larger-than", largerThan);
    if ((yes || salt) && !split) {
      throw new UsageException((yes ? "--yes" : "--salt") + " is for --split");
    }
    try (KeyValueStore store = session().store().openStoreToRead()) {
      TableRegions regions =
          store
              .extension(TableRegions.class)
              .orElseThrow(() -> new CommandException(store + " has no regions; HBase has"));
      Map<String, List<Region>> before = read(store, regions);
      show(before);
      if (!split) {
        return true;
      }
      List<SplitProposal> proposals = propose(before, large, regions);
      boolean done = make(proposals, regions, store);
      if (yes && !proposals.isEmpty()) {
        show(read(store, regions));
      }
      return done;
    }
  }

  private Map<String, @Nullable KeyForm> forms() {
    return new TableList(session().settings().options()).forms();
  }

  private Map<String, List<Region>> read(KeyValueStore store, TableRegions regions) {
    List<String> present = store.families().stream().map(Family::table).distinct().toList();
    Map<String, List<Region>> all = new LinkedHashMap<>();
    for (String each : forms().keySet()) {
      if (present.contains(each) && (table == null || table.equals(each))) {
        all.put(each, regions.regions(each));
      }
    }
    if (all.isEmpty()) {
      throw new CommandException(
          table == null ? "the store has none of the tables" : "no table " + table);
    }
    return all;
  }

  private void show(Map<String, List<Region>> tables) {
    RegionsView view = new RegionsView(out());
    Map<String, @Nullable KeyForm> forms = forms();
    if (!json) {
      view.heading();
    }
    tables.forEach(
        (name, regions) -> {
          List<Skew> skews = RegionsView.skews(regions, forms.get(name));
          if (json) {
            view.json(name, regions, skews);
          } else {
            view.table(name, skews);
          }
        });
  }

  private List<SplitProposal> propose(
      Map<String, List<Region>> tables, long large, TableRegions regions) {
    Map<String, @Nullable KeyForm> forms = forms();
    List<SplitProposal> proposals = new ArrayList<>();
    tables.forEach(
        (name, all) -> {
          KeyForm form = forms.get(name);
          for (Region region : all) {
            if (region.bytes() >= large && form != null) {
              session().status().show(() -> name + ": reading the keys of a region");
              SplitProposal proposal = SplitProposal.of(name, region, form, salt, regions);
              if (proposal != null) {
                proposals.add(proposal);
              }
            }
          }
        });
    return proposals;
  }

  /** Makes the splits, or shows them; one that fails does not keep the others from being made. */
  private boolean make(List<SplitProposal> proposals, TableRegions regions, KeyValueStore store) {
    RegionsView view = new RegionsView(out());
    boolean done = true;
    for (SplitProposal proposal : proposals) {
      String at = at(proposal, store);
      try {
        if (yes) {
          regions.split(proposal.table(), proposal.key());
        }
        view.split(proposal, at, json, yes);
      } catch (StoreException e) {
        session().report(String.valueOf(e.getMessage()));
        done = false;
      }
    }
    if (!json && !yes) {
      out()
          .line(
              proposals.isEmpty()
                  ? "no region to split"
                  : Plurals.count(proposals.size(), "split") + " proposed; --yes makes them");
    }
    return done;
  }

  private String at(SplitProposal proposal, KeyValueStore store) {
    Boundary boundary = proposal.boundary();
    if (boundary == null) {
      return "salt bucket " + proposal.salt();
    }
    Schema schema = session().settings().options().schema();
    KeyForm form = forms().get(proposal.table());
    byte[] metric = form == null ? null : form.metric(boundary.key());
    String place = "metric " + (metric == null ? "?" : name(metric, store));
    if (!boundary.isMetric() && boundary.key().length == schema.tagsOffset()) {
      long seconds =
          Integer.toUnsignedLong(ByteBuffer.wrap(boundary.key()).getInt(schema.baseTimeOffset()));
      place += " from " + Instant.ofEpochSecond(seconds);
    }
    return String.format(
        Locale.ROOT,
        "%s, %.0f %% of %,d rows before it",
        place,
        PERCENT * boundary.before() / boundary.rows(),
        boundary.rows());
  }

  private String name(byte[] metric, KeyValueStore store) {
    byte[] name =
        store
            .get(
                session().settings().options().tables().uidNames(),
                metric,
                Columns.exactly("metrics".getBytes(StandardCharsets.UTF_8)))
            .find("metrics".getBytes(StandardCharsets.UTF_8));
    return name == null
        ? new Bytes(metric).toString()
        : new String(name, StandardCharsets.ISO_8859_1);
  }
}
