package org.hourstone.kv.hbase;

@Part(0)
class HBaseContracts1Test extends HBaseContracts {}
