;; The one loop of the voice activity network that takes time. Compiled to dense.wasm by WABT (README.md).
;;
;; dense: out[row] = max(floor, bias[row] + sum over column of weights[row][column] * input[column])
;; for `rows` rows, a multiple of 4, and `columns` columns, a multiple of 4. Pointers are in bytes, all of it is f32.
(module
  (memory (export "memory") 18)
  (func (export "dense")
    (param $weights i32) (param $input i32) (param $bias i32) (param $out i32)
    (param $rows i32) (param $columns i32) (param $floor f32)
    (local $stride i32) (local $end i32) (local $x i32) (local $value v128)
    (local $w0 i32) (local $w1 i32) (local $w2 i32) (local $w3 i32)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $stride (i32.shl (local.get $columns) (i32.const 2)))
    (local.set $end (i32.add (local.get $input) (local.get $stride)))
    (loop $next_rows
      ;; Four rows side by side: each piece of the input is loaded once for all of them.
      (local.set $w0 (local.get $weights))
      (local.set $w1 (i32.add (local.get $w0) (local.get $stride)))
      (local.set $w2 (i32.add (local.get $w1) (local.get $stride)))
      (local.set $w3 (i32.add (local.get $w2) (local.get $stride)))
      (local.set $weights (i32.add (local.get $w3) (local.get $stride)))
      (local.set $s0 (v128.const f32x4 0 0 0 0))
      (local.set $s1 (local.get $s0))
      (local.set $s2 (local.get $s0))
      (local.set $s3 (local.get $s0))
      (local.set $x (local.get $input))
      (loop $next_columns
        (local.set $value (v128.load (local.get $x)))
        (local.set $s0 (f32x4.add (local.get $s0) (f32x4.mul (local.get $value) (v128.load (local.get $w0)))))
        (local.set $s1 (f32x4.add (local.get $s1) (f32x4.mul (local.get $value) (v128.load (local.get $w1)))))
        (local.set $s2 (f32x4.add (local.get $s2) (f32x4.mul (local.get $value) (v128.load (local.get $w2)))))
        (local.set $s3 (f32x4.add (local.get $s3) (f32x4.mul (local.get $value) (v128.load (local.get $w3)))))
        (local.set $w0 (i32.add (local.get $w0) (i32.const 16)))
        (local.set $w1 (i32.add (local.get $w1) (i32.const 16)))
        (local.set $w2 (i32.add (local.get $w2) (i32.const 16)))
        (local.set $w3 (i32.add (local.get $w3) (i32.const 16)))
        (br_if $next_columns
          (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
      ;; The four sums of each row become one: first pairs, then pairs of pairs; lane k is row k.
      (local.set $value
        (f32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $s0) (local.get $s1))
          (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $s0) (local.get $s1))))
      (local.set $s2
        (f32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $s2) (local.get $s3))
          (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $s2) (local.get $s3))))
      (local.set $value
        (f32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $value) (local.get $s2))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $value) (local.get $s2))))
      (v128.store (local.get $out)
        (f32x4.max
          (f32x4.splat (local.get $floor))
          (f32x4.add (local.get $value) (v128.load (local.get $bias)))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 16)))
      (br_if $next_rows (local.tee $rows (i32.sub (local.get $rows) (i32.const 4)))))))
