package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.hourstone.kv.CellCodec;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreOptions;

/** A RocksDB store that codes all families it creates with a {@link MirrorCodec}. */
final class CodingStore extends ForwardingStore {
  private static final CellCodec CODEC = new MirrorCodec();

  CodingStore(Path directory, StoreOptions options) {
    super(RocksDbStore.open(directory, RocksDbOptions.defaults(), options));
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    List<FamilySpec> coded =
        families.stream()
            .map(spec -> new FamilySpec(spec.family(), spec.singleVersion(), CODEC))
            .toList();
    super.ensure(coded, mode);
  }
}
