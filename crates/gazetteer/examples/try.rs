//! scratch
#![allow(clippy::all, missing_docs, clippy::pedantic, clippy::print_stdout, clippy::unwrap_used)]
use gazetteer::*; use std::io::*; use std::time::Instant;
fn main(){
  let p=std::path::Path::new("/tmp/world.gaz");
  let args:Vec<String>=std::env::args().skip(1).collect();
  if args[0]=="build" { let t=Instant::now(); let mut d=Draft::new();
    for file in &args[1..] {
    let f=BufReader::new(std::fs::File::open(file).unwrap()); let mut c=None;
    for l in f.lines(){let l=l.unwrap(); if c.is_none(){c=Some(tsv::Columns::parse(&l).unwrap());continue} match c.as_ref().unwrap().fact(&l){Ok(f)=>d.add(f),Err(e)=>println!("{e}: {l}")}}}
    println!("read {:?}",t.elapsed()); let mut o=Vec::new(); let s=d.finish(&mut o).unwrap(); println!("{s:?} {} {:?}",o.len(),t.elapsed()); std::fs::write(p,o).unwrap();
    let g=Gazetteer::open(p).unwrap(); for (n,s) in g.sizes(){println!("{n} {s}")}
    return }
  let t=Instant::now(); let g=Gazetteer::open(p).unwrap(); println!("open {:?}",t.elapsed());
  for q in &args[1..]{ let t=Instant::now();
   match args[0].as_str(){
    "geo"=>{ let r=g.geocode(q,None,6); println!("== {q} {:?}",t.elapsed()); for c in r{println!("  {:.3} {:.2} {} [{}] {} {} {:?}",c.score,c.confidence,c.label(),c.precision,c.point,c.matched,c.notes)}}
    "sug"=>{ let r=g.suggest(q,None,10); println!("== {q} {:?}",t.elapsed()); for c in r{println!("  {:.3} {} [{}] {} {}",c.score,c.place.label(),c.place.kind(),c.matched,c.edits)}}
    _=>{}}}
}
