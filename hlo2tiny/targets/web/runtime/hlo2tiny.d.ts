// hlo2tiny.d.ts, written by hlo2tiny compile
