//! MLPerf's trainings by the named format: the time of a whole system, one row a score, or one a run where a round has no
//! scores. The rows are made up; names of devices and networks are those of the repository's catalog.

use std::fs;

use tempfile::TempDir;

use crate::mlperf::{Row, rows_of, stated};
use crate::{Dlbench, REPOSITORY};

const SCORES: &str = "division,submitter,system,benchmark,variant,score_min,runs,dropped_each_side,not_converged,\
    scaling_factor,accelerator,accelerators_total,nodes,framework,global_batch_size,status\n";

const RUNS: &str = "division,submitter,system,benchmark,variant,run,run_status,time_to_train_min,final_quality,\
    quality_target,global_batch_size,accelerator,accelerators_per_node,nodes,host_processor,host_processors_per_node,\
    status,framework,software,source_path\n";

/// Imports files of these names and contents, of which the first is named; the rows and the account.
fn imported(files: &[(&str, String)]) -> (Vec<Row>, String) {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file");
    }
    let output = folder.path().join("out");
    let words = [folder.path().join(files[0].0), output.clone()].map(|path| path.to_string_lossy().into_owned());
    let program = Dlbench::on(REPOSITORY).columns(400);
    let account =
        program.ok(&["import", "mlperf-training", &words[0], "--source", "mlperf-training-v5.1", "-o", &words[1]]);
    let mut rows = Vec::new();
    for entry in fs::read_dir(&output).expect("something was written") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("TOML is text");
        rows.extend(rows_of(&text.parse().expect("a measurement file is TOML")));
    }
    (rows, account)
}

/// The only row whose label holds `part`.
fn row<'r>(rows: &'r [Row], part: &str) -> &'r Row {
    let of_part = |row: &&Row| row["label"].as_str().is_some_and(|label| label.contains(part));
    let found: Vec<&Row> = rows.iter().filter(of_part).collect();
    assert_eq!(found.len(), 1, "{part}: {found:#?}");
    found[0]
}

#[test]
fn a_score_is_the_time_of_all_accelerators_and_the_mean_of_its_runs() {
    let scores = "\
        closed,Acme,n1452,llama2_70b_lora,,0.5,10,1,0,1.0,NVIDIA H100-SXM5-80GB,11616,1452,NVIDIA NeMo Framework Release 24.04,2048,onprem\n\
        closed,Acme,early,ssd,,10.25,5,1,0,,NVIDIA A100-SXM4-80GB (400W),8,1,PyTorch NVIDIA Release 21.09,896,cloud\n\
        closed,Acme,late,ssd,,40,5,1,0,1.0,NVIDIA A100-SXM-80GB,8,1,\"MXNet NVIDIA Release 23.04, PyTorch NVIDIA Release 23.04\",256,preview\n\
        closed,Acme,tpu-v4-128-TF,bert,,1.5,10,1,0,,TPU,64,16,TF-research,,research\n\
        closed,Acme,4-nodes-16s,dlrm,,20,5,1,0,,N/A,0,4,PyTorch v1.5,,available\n\
        open,Acme,odd_mxnet,resnet,,3,5,1,0,,NVIDIA A100,8,1,\"NGC MXNet 21.05 , NGC PyTorch 21.05\",,available\n\
        closed,Acme,none,bert,,,10,1,10,,NVIDIA A100,8,1,PyTorch,,available\n";
    let run = |system: &str, benchmark: &str, quality: &str, host: &str, sockets: &str, nodes: &str| {
        format!("closed,Acme,{system},{benchmark},,0,success,1,{quality},,,x,8,{nodes},{host},{sockets},,,,\n")
    };
    let runs = [
        run("early", "ssd", "0.2312", "AMD EPYC 7742", "2", "1"),
        run("late", "ssd", "0.3461", "AMD EPYC 7742", "2", "1"),
        run("4-nodes-16s", "dlrm", "0.8026", "Intel(R) Xeon(R) Platinum 8380H CPU @ 2.90GHz", "4", "4"),
        // The same system at another benchmark says nothing of this one.
        run("late", "bert", "0.72", "AMD EPYC 9654", "1", "9"),
    ]
    .concat();
    let (rows, account) =
        imported(&[("scores-derived.csv", format!("{SCORES}{scores}")), ("runs-derived.csv", format!("{RUNS}{runs}"))]);
    let keys =
        ["device", "device-count", "network", "accuracy-target", "time-to-accuracy-s", "statistic", "n", "stage"];
    for (part, expected) in [
        ("n1452", "h100-sxm5-80gb | 11616 | llama-2-70b-lora | - | 30 | mean | 10 | train"),
        // The power is no other device; 0.23 mAP is the SSD's target, 0.34 that of RetinaNet.
        ("early", "a100-sxm4-80gb | 8 | mlperf-training-ssd | 0.23 | 615 | mean | 5 | train"),
        ("late", "a100-sxm4-80gb | 8 | retinanet | 0.34 | 2400 | mean | 5 | train"),
        ("tpu-v4-128", "tpu-v4 | 64 | bert-large | 0.72 | 90 | mean | 10 | train"),
        ("4-nodes-16s", "xeon-platinum-8380h | 16 | dlrm | 0.8025 | 1200 | mean | 5 | train"),
        ("odd", "a100 | 8 | resnet-50-v1.5 | - | 180 | mean | 5 | train"),
    ] {
        assert_eq!(stated(row(&rows, part), &keys), expected, "{part}");
    }
    let keys = ["framework", "framework-version", "container", "availability", "division", "precision", "host"];
    for (part, expected) in [
        ("n1452", "nemo | - | - | available | closed | - | -"),
        ("early", "pytorch | - | NVIDIA Release 21.09 | available | closed | - | 2 x AMD EPYC 7742"),
        // Which of two frameworks it was the source does not say.
        ("late", "- | - | - | preview | closed | - | 2 x AMD EPYC 7742"),
        ("tpu-v4-128", "tensorflow | - | - | rdi | closed | - | -"),
        // The name of the system says which, and the number of a container is no version.
        ("odd", "mxnet | - | - | available | open | - | -"),
    ] {
        assert_eq!(stated(row(&rows, part), &keys), expected, "{part}");
    }
    assert!(account.contains("1  left out: no score: too few of its runs reached the target"), "{account}");
}

#[test]
fn a_run_is_a_row_only_where_no_score_stands_for_it() {
    let runs = "\
        closed,gnmt-tpuv2-8,tpu,gnmt,,0,success,30,22.1,21.8,,tpuv2-8,8,1,Intel Skylake,,cloud,TensorFlow 1.12,,v0.5.0/google/x/result_0.txt\n\
        closed,resnet-tpuv3-32,tpu,resnet,,3,,60,0.7512,0.749,,tpuv3-32,32,2,Intel Skylake,,cloud,TensorFlow 1.12,,v0.5.0/google/y/result_3.txt\n\
        closed,submission,dgx1,ncf,,4,,0.5,0.6349,0.635,,Tesla V100-SXM2-16GB,8,1,Intel,,on-prem,Pytorch NGC 18.11,,v0.5.0/nvidia/z/result_4.txt\n\
        closed,submission,skx_8180_2s_8x,resnet,,1,success,90,0.75,0.749,,NA,0,8,Intel(R) Xeon(R) Platinum 8180 CPU @ 2.50GHz,,on-prem,Intel Caffe 1.1.2a,,v0.5.0/intel/z/result_1.txt\n\
        closed,Lab,big,cosmoflow,weak,7,success,40,0.12,,,NVIDIA A100-SXM4-40GB,4,128,AMD EPYC 7763,1,onprem,PyTorch,,Lab/r.txt\n\
        closed,Lab,big,cosmoflow,strong,2,success,2,0.12,,512,NVIDIA A100-SXM4-40GB,4,128,AMD EPYC 7763,1,onprem,PyTorch,,Lab/s.txt\n\
        closed,Lab,none,deepcam,strong,2,,,,,,NVIDIA A100-SXM4-40GB,4,128,AMD EPYC 7763,1,onprem,PyTorch,,Lab/t.txt\n";
    let (rows, account) = imported(&[("runs-derived.csv", format!("{RUNS}{runs}"))]);
    let keys =
        ["device", "device-count", "network", "accuracy-target", "time-to-accuracy-s", "statistic", "n", "framework"];
    for (part, expected) in [
        // Cores of the whole system, two to a chip, whatever the nodes.
        ("google; tpu; gnmt; run 0", "tpu-v2 | 4 | gnmt | - | 1800 | - | 1 | tensorflow"),
        ("google; tpu; resnet; run 3", "tpu-v3 | 16 | resnet-50-v1.5 | 0.749 | 3600 | - | 1 | tensorflow"),
        ("skx_8180_2s_8x", "xeon-platinum-8180 | 16 | resnet-50-v1.5 | 0.749 | 5400 | - | 1 | caffe"),
        ("Lab; big; cosmoflow", "a100-sxm4-40gb | 512 | cosmoflow | - | 120 | - | 1 | pytorch"),
    ] {
        assert_eq!(stated(row(&rows, part), &keys), expected, "{part}");
    }
    assert_eq!(
        stated(row(&rows, "gnmt"), &["timed"]),
        "run start to run stop, data loading and evaluation included; until BLEU is 21.8"
    );
    for told in [
        "1  left out: ended below its target quality",
        "1  left out: no time in the log",
        "1  left out: weak scaling: one of many networks that were trained at once on one machine",
    ] {
        assert!(account.contains(told), "{told:?} is not in\n{account}");
    }
    let score = "closed,Lab,big,cosmoflow,strong,2.1,10,1,0,,NVIDIA A100-SXM4-40GB,512,128,PyTorch,512,onprem\n";
    let (rows, account) =
        imported(&[("runs-derived.csv", format!("{RUNS}{runs}")), ("scores-derived.csv", format!("{SCORES}{score}"))]);
    assert!(account.contains("1  left out: a run behind a score"), "{account}");
    assert_eq!(rows.len(), 3);
}
