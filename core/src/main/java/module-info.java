/** OpenTSDB's storage format, and the contract of the stores it is kept in. */
module org.hourstone.core {
  requires static transitive org.jspecify;

  exports org.hourstone.codec;
  exports org.hourstone.codec.coded to
      org.hourstone;
  exports org.hourstone.kv;

  uses org.hourstone.kv.FamilyCodec;
  uses org.hourstone.kv.KeyValueStoreProvider;
}
