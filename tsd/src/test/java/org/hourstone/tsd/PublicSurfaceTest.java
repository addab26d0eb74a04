package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.error.TsdbException;
import org.junit.jupiter.api.Test;

/**
 * A program may rely on what the entry points of ADR 13 accept, return or throw, and on the SPI.
 * Any other public type of an exported package is public only because another module of ours needs
 * it; there are no more of these than listed here.
 */
class PublicSurfaceTest {
  private static final Set<String> ENTRIES =
      Set.of(
          "org.hourstone.Tsdb",
          "org.hourstone.Settings",
          "org.hourstone.RollupSettings",
          "org.hourstone.WriteSettings",
          "org.hourstone.QuerySettings",
          "org.hourstone.MemorySettings",
          "org.hourstone.RetentionSettings",
          "org.hourstone.DaemonSettings",
          "org.hourstone.expression.ExpressionEngine",
          "org.hourstone.tool.Admin",
          "org.hourstone.api.Api",
          "org.hourstone.api.Telnet",
          "org.hourstone.server.Server",
          "org.hourstone.junit.HourstoneExtension",
          "org.hourstone.junit.SeriesAssert");

  /** Not for programs, and exported to modules of ours only, or not at all. */
  private static final List<String> INNER =
      List.of(
          "org.hourstone.api.door",
          "org.hourstone.api.influx",
          "org.hourstone.api.otlp",
          "org.hourstone.api.endpoint",
          "org.hourstone.api.name",
          "org.hourstone.api.prometheus",
          "org.hourstone.api.proto",
          "org.hourstone.api.put",
          "org.hourstone.api.query",
          "org.hourstone.api.status",
          "org.hourstone.bench",
          "org.hourstone.codec.coded",
          "org.hourstone.head",
          "org.hourstone.internal",
          "org.hourstone.mirror",
          "org.hourstone.query.plan",
          "org.hourstone.query.rows",
          "org.hourstone.query.run",
          "org.hourstone.tsd");

  private static final String FOR_OUR_MODULES =
      """
      Engine
      PointsCodec
      RollupsCodec
      api.request.ApiException
      api.request.DoorCounts
      codec.AnnotationQualifier
      codec.AppendCell
      codec.CompactedCell
      codec.CorruptDataException
      codec.EventQualifier
      codec.Qualifier
      codec.RollupQualifier
      codec.RowDecoder
      codec.Timestamps
      codec.Value
      export.RowText
      health.DiskReserve
      health.DiskReserveException
      health.StoreWatch
      histogram.HistogramCodec
      histogram.HistogramPoint
      histogram.HistogramRowDecoder
      histogram.HistogramText
      histogram.SimpleHistogramCodec
      query.CorruptionPolicy
      query.ExpressionParts
      query.FilterDialect
      query.FilterOptions
      query.QueryContext
      query.QueryDraft
      query.QueryOptions
      query.QueryThreads
      query.RollupDialect
      query.SecondPoints
      query.SeriesBuilder
      query.TimeText
      rewrite.CompactionThread
      rewrite.PointDeletion
      rewrite.SelectedData
      rollup.MarkingStore
      rollup.RolledUpCheck
      rollup.RollupPoints
      rollup.RollupRowDecoder
      series.Aggregation
      series.AverageStep
      series.Buckets
      series.ColumnStep
      series.DownsampleStep
      series.FillStep
      series.NumberQuirk
      series.PairStep
      series.RateStep
      server.Accounts
      server.Descriptors
      table.TableCheckpoint
      table.TableRange
      table.TableRanges
      table.TableRun
      tool.CellLoader
      tool.StoredHours
      tree.Placement
      tree.TreeBuilder
      tree.TreeSync
      tree.TreeSyncRun
      write.DoubleText
      write.FutureReceipt
      write.Series
      write.SingleLine
      """;

  private static final JavaClasses TYPES =
      new ClassFileImporter()
          .withImportOption(new ArchitectureTest.PublishedModules())
          .importPackages("org.hourstone");

  @Test
  void everyPublicTypeIsOfferedOrListed() {
    Set<JavaClass> offered = offered();
    Set<String> others = new TreeSet<>();
    TYPES.stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(type -> isPublic(type.getModifiers()))
        .filter(type -> INNER.stream().noneMatch(inner -> isIn(type, inner)))
        .filter(type -> !isIn(type, "org.hourstone.kv"))
        .filter(type -> !type.isAssignableTo(TsdbException.class))
        .filter(type -> !offered.contains(type))
        .forEach(type -> others.add(type.getName().replaceFirst("^org\\.hourstone\\.", "")));

    assertThat(others).isEqualTo(new TreeSet<>(FOR_OUR_MODULES.strip().lines().toList()));
  }

  private static Set<JavaClass> offered() {
    Set<JavaClass> offered = new HashSet<>();
    Deque<JavaClass> left = new ArrayDeque<>();
    TYPES.stream().filter(type -> ENTRIES.contains(type.getName())).forEach(left::add);
    while (!left.isEmpty()) {
      JavaClass type = left.remove();
      if (isOffered(type) && offered.add(type)) {
        type.getRawSuperclass().ifPresent(left::add);
        left.addAll(type.getRawInterfaces());
        TYPES.stream()
            .filter(each -> each.getEnclosingClass().filter(type::equals).isPresent())
            .forEach(left::add);
        for (JavaMember member : type.getMembers()) {
          if (isPublic(member.getModifiers())) {
            member.getAllInvolvedRawTypes().stream()
                .map(JavaClass::getBaseComponentType)
                .forEach(left::add);
            if (member instanceof JavaCodeUnit code) {
              left.addAll(code.getExceptionTypes());
            }
          }
        }
      }
    }
    return offered;
  }

  private static boolean isOffered(JavaClass type) {
    return TYPES.contain(type.getName())
        && isPublic(type.getModifiers())
        && !type.getName().equals("org.hourstone.Engine")
        && INNER.stream().noneMatch(inner -> isIn(type, inner));
  }

  private static boolean isIn(JavaClass type, String parent) {
    return (type.getPackageName() + ".").startsWith(parent + ".");
  }

  private static boolean isPublic(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }
}
